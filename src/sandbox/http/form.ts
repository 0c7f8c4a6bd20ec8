import { invalid, type Form } from '../operations/operation.ts';

export function isForm(contentType: string): boolean {
  return /^multipart\/form-data\b/i.test(contentType);
}

/** Takes a form apart. Throws Refused for one that cannot be read, such as that its end is missing. */
export async function readForm(contentType: string, body: Buffer): Promise<Form> {
  if (!isForm(contentType)) throw invalid('Content-Type is not multipart/form-data');
  const parts = [...(await parse(contentType, body))];
  const texts = parts.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : []));
  const twice = texts.find(([name], index) => texts.findIndex(([other]) => other === name) < index);
  if (twice !== undefined) throw invalid(`the form cannot be read: field ${twice[0]} is given twice`);
  const files = parts.flatMap(([part, file]) => (typeof file === 'string' ? [] : [{ part, file }]));
  return {
    fields: Object.fromEntries(texts),
    files: await Promise.all(
      files.map(async ({ part, file }) => {
        const bytes = Buffer.from(await file.arrayBuffer());
        return { part, name: file.name, type: file.type, bytes };
      }),
    ),
  };
}

async function parse(contentType: string, body: Buffer): Promise<FormData> {
  try {
    const headers = { 'Content-Type': contentType };
    return await new Response(new Uint8Array(body), { headers }).formData();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw invalid(`the form cannot be read: ${reason}`);
  }
}
