/** Style of the page. Indentation comes from lists within lists, so that no element needs a style of its own. */
export const STYLE = `
:root {
  --back: #fbfaf8; --card: #ffffff; --text: #1d2126; --quiet: #5b6470; --line: #d9dce1; --soft: #eef0f3;
  --joins: #17703a; --changes: #8a5a00; --leaves: #b3261e; --adopted: #0b6b7d; --moves: #6b3fb5;
  --alarm: #b3261e; --alarm-back: #fdf0ee; --link: #1f5fbf; --chosen: #1f5fbf; --on-chosen: #ffffff;
  font: 16px/1.45 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
}
@media (prefers-color-scheme: dark) {
  :root {
    --back: #14171b; --card: #1c2026; --text: #e6e8eb; --quiet: #a0a8b3; --line: #363c45; --soft: #272c34;
    --joins: #6fd08f; --changes: #e6b455; --leaves: #ff8f85; --adopted: #62cbdd; --moves: #c3a3ff;
    --alarm: #ff8f85; --alarm-back: #33201f; --link: #8ab4f8; --chosen: #8ab4f8; --on-chosen: #10141a;
  }
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.25rem 1rem 4rem; max-width: 72rem; background: var(--back); color: var(--text); overflow-wrap: anywhere; }
h1 { margin: 0; font-size: 1.6rem; line-height: 1.2; }
h2 { margin: 2rem 0 .75rem; font-size: 1.2rem; }
h3 { margin: 0; font-size: 1rem; }
p { margin: .35rem 0; }
ul { margin: 0; padding: 0; list-style: none; }
code { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: .92em; }
.quiet, .why, .ids, .kind, .none { color: var(--quiet); }
.alarm { color: var(--alarm); }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.facts { display: flex; flex-wrap: wrap; align-items: baseline; gap: .25rem 1.5rem; margin-top: .75rem; }
.facts strong { font-size: 1.25rem; font-variant-numeric: tabular-nums; }
.holds { display: grid; gap: .75rem; }
.hold { padding: .9rem 1rem; border: 1px solid var(--line); border-left: 4px solid var(--alarm); border-radius: 8px; background: var(--alarm-back); }
.names { display: flex; flex-wrap: wrap; gap: .3rem .5rem; margin: .5rem 0; }
.names li { padding: 0 .5rem; border: 1px solid var(--line); border-radius: 6px; background: var(--card); font-size: .9rem; }
.names li.quiet { border: 0; background: none; }
.release code { display: inline-block; padding: .1rem .45rem; border-radius: 5px; background: var(--card); border: 1px solid var(--line); user-select: all; }
.reasons { margin: .35rem 0 1.25rem; padding-left: 1.1rem; }
.reasons .reason { list-style: disc; }
.reasons .more { color: var(--quiet); }
.filters { display: flex; flex-wrap: wrap; gap: .6rem 1.75rem; }
.chips, .chips ul { display: flex; flex-wrap: wrap; align-items: center; gap: .4rem; }
.chips h3 { margin-right: .2rem; color: var(--quiet); font-size: .9rem; }
.chip { padding: .25rem .7rem; border: 1px solid var(--line); border-radius: 99px; background: var(--card); color: inherit; font: inherit; font-size: .92rem; }
button { font: inherit; color: inherit; cursor: pointer; }
button:disabled { color: var(--quiet); cursor: default; opacity: .6; }
.chip[aria-pressed="true"] { border-color: var(--chosen); background: var(--chosen); color: var(--on-chosen); }
.chip[aria-pressed="true"] .sign { color: inherit; }
button.plain { padding: .4rem .8rem; border: 1px solid var(--line); border-radius: 8px; background: var(--card); }
button:hover:not(:disabled) { border-color: var(--link); }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.list:focus-visible { outline-offset: 6px; }
.tools { display: flex; flex-wrap: wrap; align-items: end; gap: .6rem; margin: 1rem 0 .5rem; padding: .5rem 0; background: var(--back); }
.search { flex: 1 1 16rem; }
.search label { display: block; margin-bottom: .2rem; color: var(--quiet); font-size: .9rem; }
input[type="search"] { width: 100%; padding: .45rem .7rem; border: 1px solid var(--quiet); border-radius: 8px; background: var(--card); color: var(--text); font: inherit; }
.check { display: flex; align-items: center; gap: .4rem; padding: .4rem 0; }
.check input { width: 1.1rem; height: 1.1rem; accent-color: var(--chosen); }
.status { color: var(--quiet); }
nav { display: flex; flex-wrap: wrap; align-items: center; gap: .75rem; margin: .75rem 0; font-variant-numeric: tabular-nums; }
nav[hidden] { display: none; }
.tree { padding: .5rem .75rem; border: 1px solid var(--line); border-radius: 10px; background: var(--card); }
.tree ul { margin-left: .72rem; padding-left: .9rem; border-left: 1px solid var(--line); }
.line { display: flex; align-items: baseline; gap: .4rem; padding: .12rem 0; }
.said { flex: 1; min-width: 0; display: flex; flex-wrap: wrap; align-items: baseline; gap: .1rem .5rem; }
.line > .sign { flex: none; width: 1.1rem; }
.sign { display: inline-block; text-align: center; font-weight: 700; font-family: ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
.joins { color: var(--joins); } .changes { color: var(--changes); } .leaves { color: var(--leaves); }
.adopted { color: var(--adopted); } .moves { color: var(--moves); }
.fold { padding: .1rem .4rem .1rem .1rem; border: 1px solid transparent; border-radius: 6px; background: none; text-align: left; }
/* A sign that is seen alone: it is no part of the button's name. */
.fold::before { content: "▸"; content: "▸" / ""; display: inline-block; width: 1.1rem; color: var(--quiet); text-align: center; }
.fold[aria-expanded="true"]::before { content: "▾"; content: "▾" / ""; }
.fold:hover { background: var(--soft); }
.unit { font-weight: 600; }
span.unit, span.person { padding-left: 1.2rem; }
.unit .kind, .person .kind { margin-left: .25rem; font-weight: 400; font-size: .85rem; }
.person .ids { margin-left: .25rem; font-size: .92rem; }
.people { font-size: .92rem; color: var(--quiet); }
.count { margin-left: .25rem; font-variant-numeric: tabular-nums; }
.count .sign { width: auto; margin-right: .1rem; }
.held { padding: 0 .45rem; border: 1px solid var(--alarm); border-radius: 5px; color: var(--alarm); font-size: .8rem; }
.why { font-size: .9rem; }
.fields { margin: .1rem 0 .5rem 2.9rem; border-collapse: collapse; font-size: .92rem; }
.fields th, .fields td { padding: .15rem .9rem .15rem 0; text-align: left; vertical-align: top; font-weight: 400; border-bottom: 1px solid var(--line); }
.fields thead th { color: var(--quiet); font-size: .82rem; }
.fields th[role="rowheader"] { color: var(--quiet); white-space: nowrap; }
.fields .from { color: var(--leaves); }
.fields .to { color: var(--joins); }
.fields td .none { font-style: italic; }
@media (min-width: 48rem) {
  .tools { position: sticky; top: 0; z-index: 1; border-bottom: 1px solid var(--line); }
  .list { scroll-margin-top: 6rem; }
}
@media (max-width: 40rem) {
  body { padding: 1rem .7rem 3rem; }
  .search { flex-basis: 100%; }
  .tree { padding: .4rem .35rem; }
  .tree ul { margin-left: .35rem; padding-left: .4rem; }
  .fields { margin-left: 2.6rem; }
  .why { padding-left: 1.2rem; }
  .fields thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .fields, .fields tbody, .fields tr, .fields th, .fields td { display: block; }
  .fields tr { padding: .25rem 0; border-bottom: 1px solid var(--line); }
  .fields th, .fields td { padding: 0; border: 0; }
  .fields th[role="rowheader"] { white-space: normal; }
  .fields td { padding-left: 1.2rem; position: relative; }
  .fields .from::before, .fields .to::before { position: absolute; left: 0; content: "−"; font-weight: 700; }
  .fields .to::before { content: "+"; }
}
@media (pointer: coarse) {
  .fold, .chip { padding-top: .35rem; padding-bottom: .35rem; }
}
@media (prefers-reduced-motion: no-preference) {
  .chip, .fold { transition: background-color .12s; }
}
@media print {
  :root { --back: #fff; --card: #fff; --text: #000; --quiet: #444; --line: #bbb; --joins: #0a5c2a; --changes: #6b4500; --leaves: #8c1a13; --adopted: #07505e; --moves: #4f2a92; --alarm: #8c1a13; --alarm-back: #fff; font-size: 11px; }
  body { max-width: none; padding: 0; }
  .tools, nav { display: none; }
  .tree { border: 0; padding: 0; }
  .line, .hold, .fields tr { break-inside: avoid; }
  .fold::before { content: "" !important; }
  h2 { break-after: avoid; }
}
`;
