import type { ServerName } from '../../servers/install.ts';
import type { Filling } from './recipe.ts';
import type { Servers } from './servers.ts';

/** Something that happens in the company's own directory, database or files. */
export interface Happening {
  readonly what: string;
  readonly happens: () => void | Promise<void>;
}

/** Somebody leaves, in one of the ways that the recipe knows. */
export interface Leaving extends Happening {
  readonly who: string;
  /** Who has no record any more leaves after two reads. */
  readonly isMissing?: true;
  /** Whether the person is head of a unit, which ends first. */
  readonly isHead?: true;
}

/** A company that has what a recipe is for, on a real server. */
export interface Company {
  readonly fillings: readonly Filling[];
  /** By the file in `secrets`. */
  readonly secrets: Readonly<Record<string, string>>;
  /** Everybody whom the service has after the load: `username, name: unit title (head)`. */
  readonly loaded: readonly string[];
  readonly leavings: readonly Leaving[];
  /** A change of the head where the recipe has one, else of a title, and the people who then differ. */
  readonly change: Happening & {
    readonly shows: readonly string[];
    /** Changing calls; people alone where it is left out. */
    readonly calls?: readonly string[];
  };
}

/** How `rollcall init` gets to the company without a recipe. */
export interface ByInit {
  /** @returns its flags but those of the service and the password */
  readonly flags: (servers: Servers) => Promise<string>;
  /** Lines of people who differ from those of the recipe, which leaves some out by rules of its own. */
  readonly differs?: readonly string[];
}

export interface Kitchen {
  readonly recipe: string;
  readonly init?: ByInit;
  readonly needs: readonly ServerName[];
  /** @param folder the empty folder in which the administrator works */
  readonly open: (servers: Servers, folder: string) => Promise<Company>;
}
