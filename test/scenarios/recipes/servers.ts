import { startDs389, type Ds389 } from '../../servers/ds389.ts';
import { startMariadb } from '../../servers/mariadb.ts';
import { startPostgres, type SqlServer } from '../../servers/postgres.ts';
import { startSamba, type Samba } from '../../servers/samba.ts';
import { startSlapd, type Slapd } from '../../servers/slapd.ts';

interface Stoppable {
  stop(): Promise<void>;
}

/** Real servers, each started when the first company needs it, and kept for the others. */
export class Servers {
  readonly #started = new Map<string, Promise<Stoppable>>();

  samba = (): Promise<Samba> => this.#start('samba', startSamba);
  ds389 = (): Promise<Ds389> => this.#start('ds389', startDs389);
  postgres = (): Promise<SqlServer> => this.#start('postgres', startPostgres);
  mariadb = (): Promise<SqlServer> => this.#start('mariadb', startMariadb);
  slapd = (): Promise<Slapd> =>
    this.#start('slapd', () =>
      startSlapd({
        head: 'moduleload memberof\nmoduleload ppolicy',
        config: 'overlay memberof\noverlay ppolicy',
      }),
    );

  async stop(): Promise<void> {
    for (const server of this.#started.values()) await (await server).stop();
  }

  #start<S extends Stoppable>(name: string, start: () => Promise<S>): Promise<S> {
    const started = this.#started.get(name) ?? start();
    this.#started.set(name, started);
    return started as Promise<S>;
  }
}
