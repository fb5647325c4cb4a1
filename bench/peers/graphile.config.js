// PostGraphile with its default preset on the tables as they are. Its rule that hides relations
// without a whole index is off: partial indexes, which it does not count, serve them just as well.
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber';
import { makePgService } from 'postgraphile/adaptors/pg';

export default {
  extends: [PostGraphileAmberPreset],
  disablePlugins: ['PgIndexBehaviorsPlugin'],
  pgServices: [makePgService({ connectionString: process.env.DATABASE_URL, schemas: ['public'] })],
  grafserv: { host: '127.0.0.1', port: Number(process.env.PORT), graphiql: false, watch: false },
};
