/** What the console adds to the style of the page. */
export const CONSOLE_STYLE = `
a.plain { padding: .4rem .8rem; border: 1px solid var(--line); border-radius: 8px; background: var(--card); text-decoration: none; }
.rows { margin: 1rem 0; padding: .5rem .9rem; border: 1px solid var(--line); border-radius: 10px; background: var(--card); }
.rows > div { display: grid; grid-template-columns: minmax(7rem, 14rem) 1fr; gap: 0 1rem; padding: .15rem 0; }
.rows dt { color: var(--quiet); }
.rows .title dt { color: var(--text); font-weight: 600; }
.rows dd { margin: 0; white-space: pre-wrap; }
.rows .below { color: var(--changes); }
.totals { font-weight: 600; }
.records > li { padding: .3rem 0; border-bottom: 1px solid var(--line); }
form { display: flex; flex-wrap: wrap; align-items: end; gap: .6rem; margin: 1rem 0; }
form label { display: grid; gap: .2rem; flex: 1 1 9rem; color: var(--quiet); font-size: .9rem; }
input, select { width: 100%; height: 2.5rem; padding: .45rem .7rem; border: 1px solid var(--quiet); border-radius: 8px; background: var(--card); color: var(--text); font: inherit; }
form button { height: 2.5rem; padding: 0 1rem; border: 1px solid var(--chosen); border-radius: 8px; background: var(--chosen); color: var(--on-chosen); }
label.sure { display: flex; gap: .6rem; align-items: center; flex: 0 1 auto; min-height: 2.5rem; color: var(--text); }
[action="/console/enter"] label { flex: 0 1 24rem; }
h1 + .holds { margin-top: .8rem; }
.sure input { flex: none; width: 1.2rem; height: 1.2rem; }
form.out { justify-content: end; align-items: center; margin: 1.5rem 0 0; }
form.out button { background: none; color: var(--chosen); }
figure { margin: 1rem 0; }
figcaption { color: var(--quiet); font-size: .9rem; }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(17rem, 1fr)); gap: 0 1rem; }
figure > svg { display: block; width: 100%; height: 8rem; border: 1px solid var(--line); border-radius: 8px; background: var(--card); }
svg line { stroke: var(--line); } svg text { fill: var(--quiet); font-size: .75rem; transform: translateX(.3rem); }
.dates { display: flex; padding-left: 14%; justify-content: space-between; font-size: .8rem; }
svg .joins { fill: var(--joins); } svg .leaves { fill: var(--leaves); } svg .moves { fill: var(--moves); }
.wide { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: .92rem; font-variant-numeric: tabular-nums; overflow-wrap: normal; }
th, td { padding: .25rem .6rem .25rem 0; border-bottom: 1px solid var(--line); text-align: left; white-space: nowrap; }
.number { text-align: right; }
.reason { min-width: 14rem; white-space: normal; }
.result-ok { color: var(--joins); } .result-partial, .result-none { color: var(--changes); }
.result-held, .result-failed, .result-stopped { color: var(--alarm); }
@media (max-width: 40rem) {
  .rows > div { grid-template-columns: 1fr; padding: .3rem 0; }
}
`;
