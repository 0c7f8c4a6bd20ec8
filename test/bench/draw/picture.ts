import { SOURCE_NAMES, type BenchRun, type SourceName } from '../results.ts';
import { COLOURS, panel, STROKES, type Measure } from './panel.ts';
import { linesOf, type Kind, type Line } from './series.ts';
import { element, label } from './svg.ts';

const WIDTH = 960;
const CAPTIONS_TOP = 850;
const CAPTION_HEIGHT = 18;
/** Captions that there is room for: the newest. */
const CAPTIONS = 4;
const PANEL = { width: 380, height: 260 };
const LEFT = [70, 550] as const;
const TOP = [170, 520] as const;
const LEGEND_TOP = 84;

const SECONDS = { unit: 's', of: ({ seconds }) => seconds } as const satisfies Omit<Measure, 'title'>;
const MEMORY = { unit: 'MB', of: ({ peakMB }) => peakMB } as const satisfies Omit<Measure, 'title'>;

const NAMES: Readonly<Record<SourceName, string>> = {
  slapd: 'OpenLDAP',
  samba: 'Samba (Active Directory)',
  postgres: 'PostgreSQL',
  mariadb: 'MariaDB',
  csv: 'CSV',
  joined: 'two CSV joined',
};

const KINDS: Readonly<Record<Kind, string>> = {
  rollcall: 'rollcall',
  floor: 'bare reading (below) or posting (above) of the same records: the floor',
  ldapsearch: 'ldapsearch',
};

/** Draws time and memory over the number of people, for a first load and for a run in which nothing changed. */
export function picture(runs: readonly BenchRun[]): string {
  const load = linesOf(runs, 'initial load');
  const unchanged = linesOf(runs, 'unchanged');
  const panels = [
    panel(load, { ...SECONDS, title: 'First load: time' }, { left: LEFT[0], top: TOP[0], ...PANEL }),
    panel(load, { ...MEMORY, title: 'First load: peak memory' }, { left: LEFT[1], top: TOP[0], ...PANEL }),
    panel(
      unchanged,
      { ...SECONDS, title: 'Nothing changed: time' },
      { left: LEFT[0], top: TOP[1], ...PANEL },
    ),
    panel(
      unchanged,
      { ...MEMORY, title: 'Nothing changed: peak memory' },
      { left: LEFT[1], top: TOP[1], ...PANEL },
    ),
  ];
  const width = WIDTH;
  const height = CAPTIONS_TOP + Math.min(CAPTIONS, runs.length) * CAPTION_HEIGHT;
  const page = { xmlns: 'http://www.w3.org/2000/svg', viewBox: `0 0 ${width} ${height}`, width, height };
  return `${element(
    'svg',
    { ...page, 'font-family': 'DejaVu Sans, Arial, sans-serif', 'font-size': 12, fill: '#222' },
    [
      element('rect', { width, height, fill: '#fff' }),
      label('rollcall: time and memory over the number of people', {
        x: 24,
        y: 34,
        'font-size': 18,
        'font-weight': 'bold',
      }),
      label(
        'Whole processes, from start to end. Both axes are logarithmic: a line with the slope of the diagonal grows as the company does.',
        { x: 24, y: 56, fill: '#555' },
      ),
      ...legend([...load, ...unchanged]),
      ...panels,
      ...captions(runs),
    ],
  )}\n`;
}

function legend(lines: readonly Line[]): readonly string[] {
  const sources = SOURCE_NAMES.filter((name) => lines.some(({ source }) => source === name));
  const kinds = (Object.keys(KINDS) as Kind[]).filter((name) => lines.some(({ kind }) => kind === name));
  return [
    ...entries(sources.map((name) => [NAMES[name], swatch(COLOURS[name])])),
    ...entries(
      kinds.map((kind) => [KINDS[kind], stroke(kind)]),
      24,
    ),
  ];
}

type Sample = (x: number, y: number) => string;

const swatch =
  (fill: string): Sample =>
  (x, y) =>
    element('rect', { x, y: y - 10, width: 22, height: 10, fill });

const stroke =
  (kind: Kind): Sample =>
  (x, y) =>
    element('line', { x1: x, x2: x + 28, y1: y - 4, y2: y - 4, stroke: '#444', ...STROKES[kind] });

function entries(samples: readonly (readonly [string, Sample])[], below = 0): readonly string[] {
  const y = LEGEND_TOP + below;
  let x = 24;
  return samples.flatMap(([text, sample]) => {
    const at = x;
    x += 60 + text.length * 6.6;
    return [sample(at, y), label(text, { x: at + 36, y })];
  });
}

/** When, where and how each of the runs was made. */
function captions(runs: readonly BenchRun[]): readonly string[] {
  const texts = runs.map(
    ({ date, commit, machine, command }) => `${date.slice(0, 10)}, ${commit}, ${machine}: ${command}`,
  );
  return texts
    .slice(-CAPTIONS)
    .map((text, index) =>
      label(text, { x: 24, y: CAPTIONS_TOP + index * CAPTION_HEIGHT, fill: '#555', 'font-size': 11 }),
    );
}
