// Tells Monaco where its workers are: files beside the page's own script. Imported before GraphiQL.

const NAMED = { json: 'json.worker.js', graphql: 'graphql.worker.js' };

globalThis.MonacoEnvironment = {
  getWorker(_id, label) {
    const file = NAMED[label] ?? 'editor.worker.js';
    return new Worker(new URL(file, document.querySelector('script[type="module"]').src));
  },
};
