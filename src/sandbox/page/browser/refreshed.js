/**
 * Asks the sandbox for a view; `undefined`: it is still the one of the tag.
 * @param {string} address
 * @param {string} tag
 */
export async function ask(address, tag) {
  const response = await fetch(address, { headers: tag === '' ? {} : { 'If-None-Match': tag } });
  if (response.status === 304) return undefined;
  if (!response.ok) throw new Error(`the sandbox answers ${response.status}`);
  return { text: await response.text(), tag: response.headers.get('ETag') ?? '' };
}

/**
 * A view that is asked for again and again, and drawn only where it differs.
 * @template View
 */
export class Refreshed {
  /** What was drawn, with the address it came from. */
  #drawn = { address: '', tag: '', text: '' };
  /** @type {() => string} */
  #address;
  /** @type {(view: View) => void} */
  #draw;

  /**
   * @param {() => string} address
   * @param {(view: View) => void} draw
   */
  constructor(address, draw) {
    this.#address = address;
    this.#draw = draw;
  }

  /** Asks for it; an answer that comes after the address was changed is not drawn. */
  async refresh() {
    const address = this.#address();
    const answer = await ask(address, this.#drawn.address === address ? this.#drawn.tag : '');
    if (answer === undefined || address !== this.#address()) return;
    const same = address === this.#drawn.address && answer.text === this.#drawn.text;
    this.#drawn = { address, ...answer };
    if (!same) this.#draw(JSON.parse(answer.text));
  }
}
