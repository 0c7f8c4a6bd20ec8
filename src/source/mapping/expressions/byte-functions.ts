import { EvaluationError } from '@marcbachmann/cel-js';
import { specs } from './function-spec.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/iu;

/** Where each byte of a uuid stands that Microsoft's software writes: its first three groups are reversed. */
const REVERSED = [3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15];

/** Functions of raw bytes, which columns and attributes have as base64. */
export const BYTE_FUNCTIONS = specs({
  uuid: {
    usage: 'uuid(bytes)',
    about: 'a uuid of its 16 raw bytes, such as `binary(16)`; of an empty value empty',
    example: {
      expr: 'uuid(id)',
      record: { id: '07BzhNmgTJuPDhorPE1ebw==' },
      gives: 'd3b07384-d9a0-4c9b-8f0e-1a2b3c4d5e6f',
    },
    takes: [['string']],
    gives: 'string',
    method: false,
    make: () => (text: string) => uuidOf(text, false),
  },
  guid: {
    usage: 'guid(bytes)',
    about: 'the same where the bytes are in the order of Microsoft, as in `objectGUID`',
    example: {
      expr: 'guid(id)',
      record: { id: 'hHOw06DZm0yPDhorPE1ebw==' },
      gives: 'd3b07384-d9a0-4c9b-8f0e-1a2b3c4d5e6f',
    },
    takes: [['string']],
    gives: 'string',
    method: false,
    make: () => (text: string) => uuidOf(text, true),
  },
});

function uuidOf(text: string, reversed: boolean): string {
  const base64 = text.trim();
  if (base64 === '') return '';
  if (UUID.test(base64)) return base64.toLowerCase();
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length !== 16 || bytes.toString('base64') !== base64) {
    throw new EvaluationError('uuid: the value is not 16 bytes, nor a uuid as text');
  }
  const ordered = reversed ? Buffer.from(REVERSED.map((index) => bytes[index] ?? 0)) : bytes;
  return ordered.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/u, '$1-$2-$3-$4-');
}
