// Builds the pages' scripts, styles, fonts and workers into pith_graph/web/static/.
// The same sources and lock give the same bytes, whatever the folder and the Node.js version.

import { createHash } from 'node:crypto';
import { cp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';

const here = path.dirname(fileURLToPath(import.meta.url));
const out = path.join(here, '..', 'pith_graph', 'web', 'static');

const common = {
  absWorkingDir: here,
  outdir: out,
  bundle: true,
  minify: true,
  metafile: true,
  target: 'es2022',
  legalComments: 'none', // LICENSES.txt carries every notice whole
  logLevel: 'warning',
  define: { 'process.env.NODE_ENV': '"production"' },
  alias: {
    // Prettier 3 renamed the modules that GraphiQL asks for by their old names.
    'prettier/parser-graphql': 'prettier/plugins/graphql',
    'prettier/parser-babel': 'prettier/plugins/babel',
  },
};

// Fonts written into the CSS become files, so that `font-src 'self'` is enough.
const fontsAsFiles = {
  name: 'fonts-as-files',
  setup(build) {
    build.onResolve({ filter: /^data:font\// }, ({ path: url }) => {
      const [, kind, text] = url.match(/^data:font\/(\w+);base64,(.*)$/s);
      const bytes = Buffer.from(text, 'base64');
      const digest = createHash('sha256').update(bytes).digest('hex').slice(0, 8);
      return { path: `font-${digest}.${kind}`, namespace: 'font', pluginData: bytes };
    });
    build.onLoad({ filter: /./, namespace: 'font' }, ({ pluginData }) => ({
      contents: pluginData,
      loader: 'file',
    }));
  },
};

// GraphiQL's style sheet already contains Monaco's; a second copy would never be linked.
const editorStylesOnce = {
  name: 'editor-styles-once',
  setup(build) {
    build.onLoad({ filter: /[\\/]monaco-editor[\\/].*\.css$/ }, () => ({ contents: '' }));
  },
};

async function buildPage() {
  return esbuild.build({
    ...common,
    entryPoints: { graphiql: 'src/graphiql.jsx' },
    format: 'esm',
    splitting: true,
    jsx: 'automatic',
    external: ['graphql-ws'], // GraphiQL's own fetcher would want it; the page brings its own
    chunkNames: 'hashed/[name]-[hash]',
    plugins: [editorStylesOnce],
  });
}

async function buildStyles() {
  return esbuild.build({
    ...common,
    entryPoints: { graphiql: 'src/graphiql.css' },
    assetNames: 'hashed/[name]-[hash]',
    plugins: [fontsAsFiles],
  });
}

async function buildWorkers() {
  return esbuild.build({
    ...common,
    entryPoints: {
      'editor.worker': 'monaco-editor/esm/vs/editor/editor.worker.js',
      'json.worker': 'monaco-editor/esm/vs/language/json/json.worker.js',
      'graphql.worker': 'monaco-graphql/esm/graphql.worker.js',
    },
    format: 'iife',
  });
}

function packageOf(input) {
  return input.match(/^.*node_modules\/(?:@[^/]+\/)?[^/]+/)?.[0];
}

async function licenceOf(folder) {
  const { name, version, license } = JSON.parse(
    await readFile(path.join(here, folder, 'package.json'), 'utf8'),
  );
  const files = (await readdir(path.join(here, folder))).filter((file) =>
    /^(licen[cs]e|notice)/i.test(file),
  );
  const texts = await Promise.all(
    files.sort().map((file) => readFile(path.join(here, folder, file), 'utf8')),
  );
  return [`${name} ${version} (${license})`, ...texts.map((text) => text.trim())].join('\n\n');
}

async function writeLicences(results) {
  const inputs = results.flatMap(({ metafile }) => Object.keys(metafile.inputs));
  const folders = [...new Set(inputs.map(packageOf).filter(Boolean))].sort();
  const texts = await Promise.all(folders.map(licenceOf));
  const rule = `\n\n${'-'.repeat(72)}\n\n`;
  await writeFile(path.join(out, 'LICENSES.txt'), `${texts.join(rule)}\n`);
}

await rm(out, { recursive: true, force: true });
const results = await Promise.all([buildPage(), buildStyles(), buildWorkers()]);
await cp(path.join(here, 'src', 'icon.svg'), path.join(out, 'icon.svg'));
await writeLicences(results);
