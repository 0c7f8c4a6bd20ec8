/** What the sandbox's page adds to the style of the plan. */
export const OWN_STYLE = `
a { color: var(--link); }
a.chip { text-decoration: none; color: inherit; }
a.chip[aria-current="true"] { border-color: var(--chosen); background: var(--chosen); color: var(--on-chosen); }
[hidden] { display: none !important; }
nav .chips { padding: 0; }
.rows > li { padding: .5rem 0; border-bottom: 1px solid var(--line); }
.rows .text { white-space: pre-wrap; }
.rows img { display: block; max-width: 8rem; max-height: 6rem; margin: .3rem 0; border: 1px solid var(--line); }
#answer { border-left-color: var(--link); background: var(--card); margin-bottom: 1rem; }
#answer label { display: block; color: var(--quiet); font-size: .9rem; }
#answer input, #answer select, #answer textarea { width: 100%; max-width: 40rem; padding: .4rem .6rem; border: 1px solid var(--quiet); border-radius: 8px; background: var(--card); color: var(--text); font: inherit; }
#answer fieldset { min-width: 0; margin: 0; padding: 0; border: 0; }
#answer.off { border-left-color: var(--quiet); border-left-style: dashed; background: var(--soft); }
#answer :disabled { border-style: dashed; background: transparent; color: var(--quiet); opacity: 1; cursor: not-allowed; }
#answer code { white-space: nowrap; }
.tree nav { margin: .3rem 0; padding-left: 1.2rem; }
summary { cursor: pointer; }
summary .sign { width: auto; }
.call > * { margin-right: .5rem; }
.call .why { padding-left: 0; }
.call time, .call .ms { font-variant-numeric: tabular-nums; }
pre { margin: .2rem 0 .6rem; padding: .5rem .7rem; border: 1px solid var(--line); border-radius: 8px; background: var(--soft); white-space: pre-wrap; font: .88em ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
`;
