import { make } from '../../../page/browser/elements.js';
import { byId, shown } from './shown.js';

/** @import { AnswerOutcome, MessageRow } from '../wire.ts' */

/** Characters of a message in the choice of messages. */
const SHORT = 60;

/** The box in which somebody answers as a person; what is written in it stays until it was sent. */
export function answerBox() {
  const fields = /** @type {HTMLFieldSetElement} */ (byId('answering'));
  const message = /** @type {HTMLSelectElement} */ (byId('answered'));
  const person = /** @type {HTMLInputElement} */ (byId('person'));
  const text = /** @type {HTMLTextAreaElement} */ (byId('text'));
  const send = /** @type {HTMLButtonElement} */ (byId('send'));
  /** @type {readonly MessageRow[]} */
  let known = [];

  const offer = () => {
    const names = known.find(({ id }) => id === message.value)?.recipients ?? [];
    byId('recipients').replaceChildren(...names.map(({ username, sentAs }) => new Option(username, sentAs)));
    return names;
  };
  message.addEventListener('change', () => {
    const [first] = offer();
    person.value = first?.sentAs ?? '';
  });
  byId('answer').addEventListener('submit', (event) => {
    event.preventDefault();
    send.disabled = true;
    void deliver(person.value, text.value).finally(() => {
      send.disabled = false;
    });
  });

  return {
    /** @param {readonly MessageRow[]} messages */
    messages(messages) {
      known = messages;
      const chosen = message.value;
      const none = new Option('None: any username', '');
      const options = messages.map((one) => new Option(titleOf(one), one.id));
      message.replaceChildren(none, ...options);
      message.value = messages.some(({ id }) => id === chosen) ? chosen : '';
      offer();
    },
    /** @param {boolean} callback */
    callback(callback) {
      byId('no-callback').hidden = callback;
      byId('answer').classList.toggle('off', !callback);
      fields.disabled = !callback;
      if (callback) fields.removeAttribute('aria-describedby');
      else fields.setAttribute('aria-describedby', 'no-callback');
      send.hidden = !callback;
    },
  };
}

/** @param {MessageRow} message */
function titleOf({ id, shown: text }) {
  return `${id}: ${text.slice(0, SHORT)}`;
}

/**
 * @param {string} username
 * @param {string} text
 */
async function deliver(username, text) {
  const place = byId('outcome');
  place.replaceChildren('Sending …');
  try {
    const body = JSON.stringify({ username, text });
    const headers = { 'Content-Type': 'application/json' };
    const response = await fetch('/sandbox/answer', { method: 'POST', headers, body });
    place.replaceChildren(...outcome(await response.json()));
  } catch {
    place.replaceChildren('The sandbox does not answer.');
  }
}

/** @param {AnswerOutcome} outcome */
function outcome({ http, reply = '', problem }) {
  if (http === undefined) return ['Not delivered: ', shown(problem ?? 'no answer')];
  return [`The receiver answered ${http}:`, make('pre', {}, shown(reply === '' ? '(empty)' : reply))];
}
