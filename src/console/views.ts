import { approveView } from './approve-view.ts';
import { explainView } from './explain-view.ts';
import { historyView } from './history-view.ts';
import { planView } from './plan-view.ts';
import { runView } from './run-view.ts';
import { runsView } from './runs-view.ts';
import { recordsView, statusView } from './status-view.ts';
import type { View } from './view.ts';

interface ViewRow {
  readonly path: string;
  /** Text of its link; `null`: other views lead to it. */
  readonly name: string | null;
  readonly view: View;
}

/** The views of the console, in the order of their links: a new one is a row here and a file. */
export const VIEWS: readonly ViewRow[] = [
  { path: '/console', name: 'Status', view: statusView },
  { path: '/console/records', name: null, view: recordsView },
  { path: '/console/runs', name: 'Runs', view: runsView },
  { path: '/console/run', name: null, view: runView },
  { path: '/console/plan', name: 'Plan', view: planView },
  { path: '/console/approve', name: null, view: approveView },
  { path: '/console/explain', name: 'Explain', view: explainView },
  { path: '/console/history', name: 'History', view: historyView },
];
