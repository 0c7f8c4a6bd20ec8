import { ConfigError } from '../../domain/errors.ts';

/** A driver that is installed only where its database is read. */
export interface OptionalDriver {
  /** Name of the npm package. */
  readonly name: string;
  /** What npm is to install. */
  readonly packages: string;
  /** The database, for a person. */
  readonly database: string;
}

/** Loads a driver. Throws a `ConfigError` that says what to install where it is not there. */
export async function loadDriver<D>(driver: OptionalDriver, load: () => Promise<D>): Promise<D> {
  try {
    return await load();
  } catch (cause) {
    const { name, packages, database } = driver;
    throw new ConfigError(
      `source.url: ${database} is read with the optional package ${name}, which cannot be loaded here; install it beside rollcall: npm install ${packages}.`,
      { cause },
    );
  }
}
