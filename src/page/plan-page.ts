import type { Plan } from '../domain/changes.ts';
import type { SyncSettings } from '../domain/settings.ts';
import { printable } from '../domain/text/printable.ts';
import { unitLabels } from '../plan/words/unit-labels.ts';
import { assets } from './assets.ts';
import { changesSection } from './changes-section.ts';
import { heldSection } from './held-section.ts';
import { leftOutSection } from './left-out-section.ts';
import { markup, Markup } from './markup.ts';
import { pageData, type PageChange } from './page-data.ts';
import type { PlacesOfUnits } from './page-units.ts';
import { headSection } from './head-section.ts';

export interface PageParts {
  readonly plan: Plan;
  readonly tree: PlacesOfUnits;
  /** All changes of the plan. They are read once, and none is kept. */
  readonly changes: Iterable<PageChange>;
  readonly leavers: SyncSettings['leavers'];
  /** Whose plan this is: `domain/organization`. */
  readonly about: string;
  /** When the plan was made, ms since the epoch. */
  readonly madeAt: number;
}

/**
 * Yields a plan as one page of HTML, piece by piece. The page has everything in it: it asks for nothing over
 * the network, and its policy lets in no script or style but its own. What is held and what is left out can
 * be read without the script; the list of changes needs it.
 */
export function* planPage(parts: PageParts): Iterable<string> {
  const { plan, tree, changes, leavers } = parts;
  const { script, style, policy } = assets();
  const labels = unitLabels(plan.unitNames);
  const title = `Plan ${printable(plan.hash)}, ${printable(parts.about)}`;
  yield markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${new Markup(style)}</style>
</head>
<body>
${headSection(parts)}
<main>
${heldSection(plan)}
${changesSection(plan)}
${leftOutSection(plan, labels, leavers)}
</main>
<script type="application/json" id="data">`.text;
  yield* pageData({ changes, tree, labels });
  yield `</script>\n<script type="module">${script}</script>\n</body>\n</html>\n`;
}
