/** Which clock's parts of a date are read. */
export interface Clock {
  day(date: Date): readonly [number, number, number];
  time(date: Date): readonly [number, number, number];
}

export const UTC: Clock = {
  day: (date) => [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()],
  time: (date) => [date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds()],
};

/** The clock of this process, for drivers that read times without a zone as local ones. */
export const LOCAL: Clock = {
  day: (date) => [date.getFullYear(), date.getMonth() + 1, date.getDate()],
  time: (date) => [date.getHours(), date.getMinutes(), date.getSeconds()],
};

const two = (number: number): string => String(number).padStart(2, '0');

/** Returns `1990-05-01`. */
export function dayOf(date: Date, clock: Clock): string {
  const [year, month, day] = clock.day(date);
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;
}

/** Returns `12:30:00`, or `12:30:00.250`. */
export function timeOf(date: Date, clock: Clock): string {
  const fraction = date.getUTCMilliseconds();
  const time = clock.time(date).map(two).join(':');
  return fraction === 0 ? time : `${time}.${String(fraction).padStart(3, '0')}`;
}

/** Returns `1990-05-01 12:30:00`. */
export function momentOf(date: Date, clock: Clock): string {
  return `${dayOf(date, clock)} ${timeOf(date, clock)}`;
}
