import type { SourceName } from '../results.ts';
import { exactScale, roundScale, type Scale } from './scale.ts';
import type { Kind, Line, Point } from './series.ts';
import { element, label } from './svg.ts';

/** Colours that people with any kind of colour vision tell apart (Okabe and Ito). */
export const COLOURS: Readonly<Record<SourceName, string>> = {
  slapd: '#0072b2',
  samba: '#cc79a7',
  postgres: '#009e73',
  mariadb: '#e69f00',
  csv: '#d55e00',
  joined: '#56b4e9',
};

export const STROKES: Readonly<Record<Kind, Readonly<Record<string, string | number>>>> = {
  rollcall: { 'stroke-width': 2.5 },
  floor: { 'stroke-width': 1.5, 'stroke-dasharray': '6 4' },
  ldapsearch: { 'stroke-width': 1.5, 'stroke-dasharray': '1.5 3.5' },
};

/** What the axis upwards shows. */
export interface Measure {
  readonly title: string;
  readonly unit: string;
  readonly of: (point: Point) => number;
}

export interface Place {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Draws one diagram: a title, both axes with their units, and a line for each series. */
export function panel(lines: readonly Line[], { title, unit, of }: Measure, place: Place): string {
  const { left, top, width, height } = place;
  const points = lines.flatMap((line) => line.points);
  const x = exactScale(
    points.map(({ people }) => people),
    [left, left + width],
  );
  const y = roundScale(points.map(of), [top + height, top]);
  return element('g', {}, [
    label(title, { x: left, y: top - 14, 'font-weight': 'bold', 'font-size': 14 }),
    ...y.ticks.map((tick) => across(tick, y, place)),
    ...x.ticks.map((tick) => upright(tick, x, place)),
    label(unit, { x: left - 8, y: top - 14, 'text-anchor': 'end', fill: '#555' }),
    label('people', { x: left + width, y: top + height + 36, 'text-anchor': 'end', fill: '#555' }),
    ...lines.map((line) => drawn(line, { x, y }, of)),
  ]);
}

function across(tick: number, y: Scale, { left, width }: Place): string {
  const at = y.at(tick);
  return element('g', {}, [
    element('line', { x1: left, x2: left + width, y1: at, y2: at, stroke: '#ddd' }),
    label(tick.toLocaleString('en'), { x: left - 8, y: at + 4, 'text-anchor': 'end' }),
  ]);
}

function upright(tick: number, x: Scale, { top, height }: Place): string {
  const at = x.at(tick);
  return element('g', {}, [
    element('line', { x1: at, x2: at, y1: top, y2: top + height, stroke: '#eee' }),
    label(tick.toLocaleString('en'), { x: at, y: top + height + 18, 'text-anchor': 'middle' }),
  ]);
}

interface Scales {
  readonly x: Scale;
  readonly y: Scale;
}

function drawn({ source, kind, points }: Line, { x, y }: Scales, of: Measure['of']): string {
  const colour = COLOURS[source];
  const places = points.map((point) => [x.at(point.people), y.at(of(point))] as const);
  const path = places.map(([px, py]) => `${px.toFixed(1)},${py.toFixed(1)}`).join(' ');
  const radius = kind === 'rollcall' ? 4 : 2.5;
  return element('g', {}, [
    element('polyline', { points: path, fill: 'none', stroke: colour, ...STROKES[kind] }),
    ...places.map(([cx, cy]) => element('circle', { cx, cy, r: radius, fill: colour })),
  ]);
}
