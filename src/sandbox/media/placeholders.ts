import { draw } from './images.ts';
import type { ImageKind } from './image-kinds.ts';

/** A grey pixel, for an image that is not there; it needs no library. */
export const PLACEHOLDER_PNG: Buffer = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAADElEQVQImWOYOXMmAAOaAcxaeEmsAAAAAElFTkSuQmCC',
  'base64',
);

/** Draws a page that calls itself a placeholder. */
export async function placeholderImage(label: string, kind: ImageKind): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="620" height="877">
    <rect width="620" height="877" fill="white" stroke="grey" stroke-width="8"/>
    <text x="60" y="420" font-size="40" fill="grey">PLACEHOLDER</text>
    <text x="60" y="480" font-size="28" fill="grey">${label}, made by a sandbox</text></svg>`;
  return (await draw(svg, kind)).bytes;
}

/** Writes a PDF whose pages call themselves placeholders. */
export function placeholderPdf(pages: number): Buffer {
  const numbers = Array.from({ length: pages }, (_, index) => index + 1);
  const kids = numbers.map((page) => `${2 * page + 2} 0 R`).join(' ');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...numbers.flatMap((page) => pdfPage(page, pages)),
  ];
  let text = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${offset.toString().padStart(10, '0')} 00000 n \n`;
  });
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}`;
  const trailer = `trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`;
  return Buffer.from(text + table + trailer, 'latin1');
}

/** Returns the two objects of a page: the page, and what stands on it. */
function pdfPage(page: number, pages: number): readonly string[] {
  const drawn = `BT /F1 28 Tf 60 420 Td (PLACEHOLDER: page ${page} of ${pages}, made by a sandbox) Tj ET`;
  const resources = '/Resources << /Font << /F1 3 0 R >> >>';
  const place = `/Parent 2 0 R /MediaBox [0 0 700 842] /Contents ${2 * page + 3} 0 R`;
  return [
    `<< /Type /Page ${place} ${resources} >>`,
    `<< /Length ${drawn.length} >>\nstream\n${drawn}\nendstream`,
  ];
}
