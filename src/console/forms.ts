import type { FastifyRequest } from 'fastify';
import { markup, type Markup } from '../page/markup.ts';

/** Returns a value of a form that was sent; empty if there is none. */
export const formValue = ({ body }: FastifyRequest, name: string): string =>
  body instanceof URLSearchParams ? (body.get(name) ?? '') : '';

/** @param hash whose approval comes next; empty: none */
export function signInForm(hash: string): Markup {
  return markup`<form method="post" action="/console/enter">
<input type="hidden" name="hash" value="${hash}">
<label>Token of the console, or your own as an approver <input type="password" name="token" autocomplete="current-password" required autofocus></label>
<button>Open</button>
</form>
<p class="quiet">Approvers stay signed in only at https://, or on this machine.</p>`;
}
