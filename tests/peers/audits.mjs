// Runs every GraphQL-over-HTTP audit of the package graphql-http against a server.
//
// usage: node audits.mjs URL; prints a JSON list of {id, name, status, reason}.
import { serverAudits } from 'graphql-http';

const [url] = process.argv.slice(2);
const results = [];
for (const audit of serverAudits({ url })) {
  const result = await audit.fn();
  results.push({
    id: result.id,
    name: result.name,
    status: result.status,
    reason: result.reason ?? null,
  });
  // An unread body keeps its connection, and with it this process, alive.
  await result.response?.body?.cancel?.().catch(() => {});
}
console.log(JSON.stringify(results));
