import type { Logos } from '../../domain/ports/ledger/units.ts';
import type { Pictures } from '../../domain/reading/source.ts';
import { digestIn, logoOf } from '../../domain/records/logo.ts';
import type { Fields } from '../../domain/records/fields.ts';
import type { Organization, OrganizationBody, Page, Service } from '../../domain/ports/service.ts';

/** The pictures of this run, and those that the service has from us. */
export class LogoBook {
  readonly #ledger: Logos;
  readonly #mediaIds: Map<string, string>;
  readonly #digests: Map<string, string>;
  #pictures: Pictures | undefined;

  constructor(ledger: Logos) {
    this.#ledger = ledger;
    this.#mediaIds = new Map(ledger.all());
    this.#digests = new Map([...this.#mediaIds].map(([digest, mediaId]) => [mediaId, digest]));
  }

  get isEmpty(): boolean {
    return this.#mediaIds.size === 0;
  }

  mediaIdOf(digest: string): string | undefined {
    return this.#mediaIds.get(digest);
  }

  digestOf(mediaId: string): string | undefined {
    return this.#digests.get(mediaId);
  }

  /** Remembers at once, so that a crash right after does not upload the picture again. */
  remember(digest: string, mediaId: string): void {
    this.#ledger.set(digest, mediaId);
    // A media id that the digest no longer has is another picture's, or gone.
    const before = this.#mediaIds.get(digest);
    if (before !== undefined) this.#digests.delete(before);
    this.#mediaIds.set(digest, mediaId);
    this.#digests.set(mediaId, digest);
  }

  /** Takes the pictures that were read. */
  take(pictures: Pictures | undefined): void {
    this.#pictures = pictures;
  }

  fileOf(digest: string): string | null {
    return this.#pictures?.fileOf(digest) ?? null;
  }

  /** Removes the files of the pictures. */
  end(): void {
    this.#pictures?.end();
  }
}

/**
 * Returns the service with logos as digests on our side: a media id that is known becomes the digest, and a
 * digest that is sent becomes its media id. An unknown media id is a picture of others and stays unchanged.
 */
export function withLogos(service: Service, book: LogoBook): Service {
  const shown = (node: Organization): Organization => {
    const { logo } = node.fields;
    const digest = typeof logo === 'string' ? book.digestOf(logo) : undefined;
    return digest === undefined ? node : { ...node, fields: { ...node.fields, logo: logoOf(digest) } };
  };
  const shownOrNull = (node: Organization | null): Organization | null =>
    node === null ? null : shown(node);
  const outgoing = (body: OrganizationBody): OrganizationBody => ({
    ...body,
    fields: withMediaId(body.fields, book),
  });
  return {
    ...service,
    root: async (signal) => shown(await service.root(signal)),
    organizations: (since, signal) => shownPages(service.organizations(since, signal), shown),
    organization: async (id, signal) => shownOrNull(await service.organization(id, signal)),
    organizationBySerial: async (serialNo, signal) =>
      shownOrNull(await service.organizationBySerial(serialNo, signal)),
    importOrganizations: (bodies, signal) => service.importOrganizations(bodies.map(outgoing), signal),
    createOrganization: (body, signal) => service.createOrganization(outgoing(body), signal),
    modifyOrganization: (id, fields, signal) =>
      service.modifyOrganization(id, withMediaId(fields, book), signal),
  };
}

async function* shownPages(
  pages: AsyncIterable<Page<Organization>>,
  shown: (node: Organization) => Organization,
): AsyncIterable<Page<Organization>> {
  for await (const page of pages) yield { ...page, records: page.records.map(shown) };
}

/** Returns the fields with a media id as logo; without one, if the service does not have the picture. */
function withMediaId(fields: Fields, book: LogoBook): Fields {
  const digest = digestIn(fields['logo']);
  if (digest === null) return fields;
  const { logo: _, ...rest } = fields;
  const mediaId = book.mediaIdOf(digest);
  return mediaId === undefined ? rest : { ...rest, logo: mediaId };
}
