// Sends an operation to the endpoint that served the page, wherever it is mounted.

/**
 * Post one operation and return the answer, whatever its HTTP status.
 *
 * @param {{query: string, variables?: object, operationName?: string}} operation
 * @param {{headers?: Record<string, string>}} [options] headers typed into the editor
 */
export async function fetchAnswer(operation, { headers } = {}) {
  const response = await fetch(window.location.pathname, {
    method: 'POST',
    headers: {
      accept: 'application/graphql-response+json, application/json;q=0.9',
      'content-type': 'application/json',
      ...headers,
    },
    body: JSON.stringify(operation),
  });
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(
      `The server answered ${response.status} with text that is not JSON: ${text.slice(0, 200)}`,
    );
  }
}
