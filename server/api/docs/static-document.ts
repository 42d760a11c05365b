/**
 * A document that is the same for everybody until the next version. Made on the first request, so that the start does
 * not wait for it.
 */
import { fingerprint } from "../../crypto/digest";
import { acceptedEncoding, type Encoding, type Packed, packedForms } from "../../http/content-encoding";
import type { Methods } from "../../http/routes";
import type { PublicDocument } from "../../oidc/endpoints/discovery";
import { publicDocumentAnswer } from "../../web/public-document";

/** @param headers beside those of caches, which every document has */
export function staticDocument(
  make: () => string | Promise<Uint8Array<ArrayBuffer>>,
  headers: Readonly<Record<string, string>>,
): Methods {
  let made: Promise<{ plain: PublicDocument<Uint8Array<ArrayBuffer>>; packed: Packed }> | undefined;
  const preparing = async () => {
    const content = await make();
    return prepared(typeof content === "string" ? new TextEncoder().encode(content) : content, headers);
  };
  return {
    GET: async (_, http) => {
      made ??= preparing();
      const encoding = acceptedEncoding(http.req.header("accept-encoding"));
      const document = await made;
      return publicDocumentAnswer(http, encoding ? await inEncoding(document, encoding) : document.plain);
    },
  };
}

/** Shared bytes: a string would be encoded for each request and kept in memory until the response is read. */
function prepared(body: Uint8Array<ArrayBuffer>, headers: Readonly<Record<string, string>>) {
  const all = { ...headers, etag: `"${fingerprint(body)}"`, vary: "Accept-Encoding" };
  return { plain: { body, headers: all }, packed: packedForms(body) };
}

/** Two forms of one document are two representations (RFC 9110 §8.8.3.3). */
async function inEncoding(
  { plain, packed }: { plain: PublicDocument<Uint8Array<ArrayBuffer>>; packed: Packed },
  encoding: Encoding,
): Promise<PublicDocument<Uint8Array<ArrayBuffer>>> {
  const etag = plain.headers.etag?.replace(/"$/, `-${encoding}"`) ?? "";
  return { body: await packed(encoding), headers: { ...plain.headers, etag, "content-encoding": encoding } };
}
