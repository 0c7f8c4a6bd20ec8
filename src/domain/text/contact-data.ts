const MAIL = /([\p{L}\p{N}._%+-]{1,64})\s?[@＠]\s?[^\s@＠<>(),;:]+\.[^\s@＠<>(),;:]+/gu;

/** No letter or digit beside it: employee numbers, hashes and ids hold digits as well. */
const [AFTER, BEFORE] = ['(?<![\\p{L}\\p{N}_.:/-])', '(?![\\p{L}\\p{N}_])'];
const GAP = '[ ()./\\u00A0\\u2010-\\u2015-]';
/**
 * How phone numbers are written: with a country code, with an area code and gaps, with a leading 0, as a mobile number of
 * China, as in North America. Digits in a row may be the number of an employee.
 */
const PHONES = [
  `(?:\\+|${AFTER}00)\\d(?:${GAP}{0,2}\\d){6,14}${BEFORE}`,
  `${AFTER}\\(?0\\d{1,5}\\)?${GAP}{1,2}\\d(?:${GAP}?\\d){4,10}${BEFORE}`,
  `${AFTER}0\\d{8,10}${BEFORE}`,
  `${AFTER}1[3-9]\\d{9}${BEFORE}`,
  `${AFTER}1[3-9]\\d${GAP}\\d{4}${GAP}\\d{4}${BEFORE}`,
  `${AFTER}\\(?\\d{3}\\)?${GAP}{1,2}\\d{3}${GAP}\\d{4}${BEFORE}`,
].map((pattern) => new RegExp(pattern, 'gu'));

/** Returns the text without mail addresses, of which the part before the `@` stays, and phone numbers. */
export function withoutContacts(text: string): string {
  return PHONES.reduce((shown, phone) => shown.replace(phone, '…'), text.replace(MAIL, '$1@…'));
}
