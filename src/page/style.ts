/** Style of the page. */
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
.quiet, .why, .ids { color: var(--quiet); }
.alarm { color: var(--alarm); }
.banner { padding: .6rem .9rem; border: 1px solid var(--line); border-left: 4px solid var(--link); border-radius: 8px; background: var(--card); }
.banner.alarm { border-left-color: var(--alarm); background: var(--alarm-back); }
.tree { margin: 0; padding: .6rem .9rem; overflow-x: auto; border: 1px solid var(--line); border-radius: 8px; background: var(--card); font: .85rem/1.35 ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
.facts { display: flex; flex-wrap: wrap; align-items: baseline; gap: .25rem 1.5rem; margin-top: .75rem; }
.facts strong { font-size: 1.25rem; font-variant-numeric: tabular-nums; }
.holds { display: grid; gap: .75rem; }
.hold { padding: .9rem 1rem; border: 1px solid var(--line); border-left: 4px solid var(--alarm); border-radius: 8px; background: var(--alarm-back); }
.names { display: flex; flex-wrap: wrap; gap: .3rem .5rem; margin: .5rem 0; }
.names li { padding: 0 .5rem; border: 1px solid var(--line); border-radius: 6px; background: var(--card); font-size: .9rem; }
.names li.quiet { border: 0; background: none; }
.release button { padding: .1rem .6rem; font-size: .92rem; }
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
.search { margin: 1rem 0 .5rem; }
.search label { display: block; margin-bottom: .2rem; color: var(--quiet); font-size: .9rem; }
input[type="search"] { width: 100%; padding: .45rem .7rem; border: 1px solid var(--quiet); border-radius: 8px; background: var(--card); color: var(--text); font: inherit; }
.status { color: var(--quiet); }
nav { display: flex; flex-wrap: wrap; align-items: center; gap: .75rem; margin: .75rem 0; font-variant-numeric: tabular-nums; }
nav[hidden] { display: none; }
a { color: var(--link); }
.views { gap: .25rem; margin-bottom: 1.25rem; }
.views a { padding: .35rem .55rem; border-radius: 8px; text-decoration: none; }
.views a:hover { background: var(--soft); }
.views a[aria-current] { background: var(--chosen); color: var(--on-chosen); }
.list { padding: .25rem .75rem; border: 1px solid var(--line); border-radius: 10px; background: var(--card); }
.list h3 { margin: .75rem 0 .25rem; }
.line { padding: .12rem 0; }
summary { cursor: pointer; }
.sign { display: inline-block; min-width: 1.1rem; text-align: center; font-weight: 700; font-family: ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
.joins { color: var(--joins); } .changes { color: var(--changes); } .leaves { color: var(--leaves); }
.adopted { color: var(--adopted); } .moves { color: var(--moves); }
.held { padding: 0 .45rem; border: 1px solid var(--alarm); border-radius: 5px; color: var(--alarm); font-size: .8rem; }
.why, .ids { font-size: .9rem; }
.fields { margin: .1rem 0 .5rem 1.2rem; font-size: .92rem; }
.fields i { color: var(--quiet); }
.fields .from { color: var(--leaves); }
.fields .to { color: var(--joins); }
@media (max-width: 40rem) {
  body { padding: 1rem .7rem 3rem; }
  .views { gap: 0; }
  .views a { padding: .35rem .45rem; font-size: .95rem; }
}
@media print {
  .search, nav, button.plain { display: none; }
}
`;
