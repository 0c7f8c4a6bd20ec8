import { digestIn, logoOf } from '../../domain/records/logo.ts';
import type { Fields } from '../../domain/records/fields.ts';
import type { Organization, OrganizationBody, Page, Service } from '../../domain/ports/service.ts';
import type { LogoBook } from '../state/logo-book.ts';

/**
 * Returns the service with logos as digests on our side: a media id that is known becomes the digest, and a digest that
 * goes out becomes its media id. An unknown media id stays as it is: it is somebody else's picture.
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

/** Returns the fields with a media id as logo; without one, where the service does not have the picture. */
function withMediaId(fields: Fields, book: LogoBook): Fields {
  const digest = digestIn(fields['logo']);
  if (digest === null) return fields;
  const { logo: _, ...rest } = fields;
  const mediaId = book.mediaIdOf(digest);
  return mediaId === undefined ? rest : { ...rest, logo: mediaId };
}
