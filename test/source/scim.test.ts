import { openSource } from '../../src/source/open-source.ts';
import { startScim } from './scim/scim-server.ts';
import { scimSettings, worldLists } from './scim/scim-world.ts';
import { describeSource } from './source-contract.ts';

describeSource('a SCIM server', true, async () => {
  const server = await startScim(worldLists());
  const broken = await startScim(worldLists());
  broken.twist = ({ resource, startIndex }) =>
    resource === 'Users' && startIndex > 1 ? { status: 403, body: { detail: 'no' } } : null;
  return {
    source: openSource(scimSettings(server.url)),
    broken: openSource(scimSettings(broken.url)),
    async stop() {
      await server.close();
      await broken.close();
    },
  };
});
