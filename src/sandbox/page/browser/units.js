import { button, counted, make } from '../../../page/browser/elements.js';
import { ask, contentOf, replace, shown } from './shown.js';
import { turning } from './rows.js';

/**
 * @import { Paged, UnitRow } from '../wire.ts'
 * @typedef {Map<string | null, Paged<UnitRow>>} Branches
 */

const TOP = '/sandbox/units';

/** Shows the units as a tree that folds; only what is unfolded is asked for, page by page. */
class UnitTree {
  /** @type {Branches} Units by the one above them; the root's is `null`. */
  #branches = new Map();
  /** @type {Set<string>} Units that were folded or unfolded by hand. */
  #turned = new Set();
  /** @type {Map<string, number>} Pages that were chosen, by the unit above. */
  #pages = new Map();
  #place = contentOf('units');
  #drawn = '';
  #loads = 0;

  /**
   * @param {string} id
   * @param {string | null} above
   */
  #isOpen(id, above) {
    return (above === null) !== this.#turned.has(id);
  }

  /** Reads all that is unfolded, and draws it where it differs, unless something else was unfolded meanwhile. */
  async refresh() {
    this.#loads += 1;
    const mine = this.#loads;
    /** @type {Branches} */
    const found = new Map();
    await this.#fill(null, found);
    if (mine !== this.#loads) return;
    const text = JSON.stringify([...found]);
    this.#branches = found;
    if (text !== this.#drawn) replace(this.#place, [make('div', { class: 'tree' }, this.#branch(null))]);
    this.#drawn = text;
  }

  /**
   * @param {string | null} id
   * @param {Branches} found
   */
  async #fill(id, found) {
    const below = id === null ? TOP : `${TOP}?of=${encodeURIComponent(id)}&page=${this.#pages.get(id) ?? 0}`;
    /** @type {Paged<UnitRow>} */
    const view = JSON.parse(await ask(below));
    found.set(id, view);
    const open = view.rows.filter((unit) => unit.folds && this.#isOpen(unit.id, id));
    await Promise.all(open.map((unit) => this.#fill(unit.id, found)));
  }

  /** Loads what somebody has asked for; where that fails, the next look does it. */
  #again() {
    this.refresh().catch(() => undefined);
  }

  /**
   * @param {string | null} id
   * @returns {HTMLElement}
   */
  #branch(id) {
    const view = this.#branches.get(id) ?? { rows: [], total: 0, page: 0, pages: 1 };
    const list = make('ul', {}, ...view.rows.map((unit) => this.#leaf(unit, id)));
    if (id === null || view.pages === 1) return list;
    /** @param {number} to */
    const go = (to) => {
      this.#pages.set(id, to);
      this.#again();
    };
    list.append(make('li', {}, turning(view, go, `-${id}`)));
    return list;
  }

  /**
   * @param {UnitRow} unit
   * @param {string | null} above
   */
  #leaf(unit, above) {
    const people = make('span', { class: 'people' }, counted(unit.people, 'person', 'people'));
    const name = unit.folds ? this.#folding(unit, above) : make('span', { class: 'unit' }, shown(unit.name));
    const line = make('div', { class: 'line' }, name, people);
    const isUnfolded = unit.folds && this.#isOpen(unit.id, above);
    return make('li', {}, line, ...(isUnfolded ? [this.#branch(unit.id)] : []));
  }

  /**
   * @param {UnitRow} unit
   * @param {string | null} above
   */
  #folding({ id, name }, above) {
    const attributes = { class: 'fold unit', 'aria-expanded': String(this.#isOpen(id, above)) };
    const turn = () => {
      if (!this.#turned.delete(id)) this.#turned.add(id);
      this.#again();
    };
    const element = button(attributes, turn, shown(name));
    element.dataset['key'] = id;
    return element;
  }
}

/** Returns the tree of units of the page. */
export function unitTree() {
  return new UnitTree();
}
