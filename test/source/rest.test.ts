import { restSource } from './open-one.ts';
import { startRest } from './rest/rest-server.ts';
import { STYLE_NAMES, worldLists, worldSettings } from './rest/rest-world.ts';
import { describeSource } from './source-contract.ts';

for (const style of STYLE_NAMES) {
  describeSource(`lists by ${style}`, true, async () => {
    const server = await startRest(worldLists());
    const broken = await startRest(worldLists());
    broken.twist = ({ list, start }) =>
      list === 'people/count' || (list === 'people' && start > 0) ? { status: 403, body: {} } : null;
    return {
      source: restSource(worldSettings(server.url, style)),
      broken: restSource(worldSettings(broken.url, style)),
      async stop() {
        await server.close();
        await broken.close();
      },
    };
  });
}
