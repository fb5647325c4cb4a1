// The page at /graphql: GraphiQL with the starter query that the server wrote into the page.

import './workers.js';

import { GraphiQL } from 'graphiql';
import { createRoot } from 'react-dom/client';
import { fetchAnswer } from './fetcher.js';

const container = document.getElementById('graphiql');
const { starter } = container.dataset;

createRoot(container).render(
  <GraphiQL
    fetcher={fetchAnswer}
    defaultQuery={starter}
    inputValueDeprecation
    schemaDescription
  />,
);
