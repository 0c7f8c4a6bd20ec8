import { startSandbox, type SandboxOptions } from '../../src/sandbox/sandbox.ts';
import { serviceContract, type ServiceWorld } from './service-contract.ts';
import { serviceFor, type SettingsPatch } from './odd-server.ts';

async function world(options: SandboxOptions, patch: SettingsPatch = {}): Promise<ServiceWorld> {
  const sandbox = await startSandbox(options);
  const { baseUrl, domainId, orgCode, token } = sandbox;
  const service = serviceFor(baseUrl, { domainId, orgCode, token, ...patch });
  return {
    service,
    addUser: (username) => void sandbox.edit.addUser(username, username),
    close: async () => {
      await service.close();
      await sandbox.close();
    },
  };
}

serviceContract('the service over HTTP', () => world({}));

serviceContract('the service over HTTP, everything undocumented read the other way', () =>
  world({
    orgCode: 'ac me/ü',
    readings: [
      'pathKeys=ids',
      'keysLower',
      'importIds=user',
      'errors=http4xx',
      'notFound=own',
      'lockOnly',
      'pageCap=7',
      'positions=merge',
      'emptyPositions=taken',
      'absent=clear',
    ],
  }),
);

serviceContract('the service over HTTP, unknown ids answered with null', () =>
  world({ readings: ['notFound=null', 'pageCap=100'] }),
);

/** Reads only: what becomes of a change that fails is the caller's. */
serviceContract('the service over HTTP, every third read spoilt', () =>
  world({
    faults:
      'seed=3,rate=0.33,slowMs=5,ops=organizationInfo+getOrganization+organizationBySerial+pageOrganizations+viewOrganization+listEmployees+getEmployee+pageUsers',
  }),
);
