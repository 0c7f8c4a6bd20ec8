import { counted } from '../../../page/browser/elements.js';
import { answerBox } from './answer-box.js';
import { callList, mediaLine, messageLine, pagedList, personLine, scheduleLine } from './rows.js';
import { byId, Refreshed, shown } from './shown.js';
import { unitTree } from './units.js';

/** @import { Overview } from '../wire.ts' */

/** Milliseconds between two looks, and after the last key of a search. */
const EVERY = 3000;
const TYPING = 200;

const box = answerBox();
const search = /** @type {HTMLInputElement} */ (byId('search'));
const overview = new Refreshed(() => '/sandbox/overview', showOverview);
const lists = {
  units: unitTree(),
  people: pagedList('people', personLine, { more: () => `&search=${encodeURIComponent(search.value)}` }),
  messages: pagedList('messages', messageLine, { seen: (rows) => box.messages(rows) }),
  medias: pagedList('medias', mediaLine),
  schedules: pagedList('schedules', scheduleLine),
  calls: callList(),
};

/** @param {Overview} view */
function showOverview({ domainId, orgCode, counts, callback }) {
  byId('identity').replaceChildren('Domain ', shown(domainId), ', organization ', shown(orgCode), '.');
  for (const [name, count] of Object.entries(counts)) {
    byId(`count-${name}`).textContent = count.toLocaleString('en');
  }
  document.title = `Sandbox: ${counted(counts.calls, 'call', 'calls')}`;
  box.callback(callback);
}

/** @returns {keyof typeof lists} */
function chosen() {
  const name = location.hash.slice(1);
  return Object.hasOwn(lists, name) ? /** @type {keyof typeof lists} */ (name) : 'units';
}

async function look() {
  try {
    await Promise.all([overview.refresh(), lists[chosen()].refresh()]);
    byId('trouble').textContent = '';
  } catch {
    byId('trouble').textContent = 'The sandbox does not answer. What is shown is old.';
  }
}

function choose() {
  for (const name of Object.keys(lists)) {
    byId(name).hidden = name !== chosen();
    document.querySelector(`a[href="#${name}"]`)?.setAttribute('aria-current', String(name === chosen()));
  }
  void look();
}

async function goOn() {
  if (!document.hidden) await look();
  setTimeout(() => void goOn(), EVERY);
}

let typing = 0;
search.addEventListener('input', () => {
  clearTimeout(typing);
  typing = setTimeout(() => void look(), TYPING);
});
window.addEventListener('hashchange', choose);
choose();
setTimeout(() => void goOn(), EVERY);
