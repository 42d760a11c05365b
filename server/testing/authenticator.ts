/**
 * An authenticator in software with the options of an attacker: creates credentials (attestation "none") and signs
 * challenges (WebAuthn Level 3 §6). The e2e tests use Chromium's own.
 */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  createSign,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
} from "node:crypto";

export interface Options {
  challenge: string;
  rp?: { id: string };
  rpId?: string;
  user?: { id: string };
}

export interface Lies {
  origin?: string;
  rpId?: string;
  challenge?: string;
  /** Without verification of the user by fingerprint, face or PIN. */
  unverified?: boolean;
  counter?: number;
  userHandle?: string;
  /** The id of another credential. */
  id?: string;
  type?: string;
  /** Whether the passkey can be synced among devices but is not yet (WebAuthn Level 3 §6.1.3). */
  notBackedUp?: boolean;
}

export interface Authenticator {
  id: string;
  create(options: Options, lies?: Lies): string;
  get(options: Options, lies?: Lies): string;
}

const sha256 = (data: string | Buffer) => createHash("sha256").update(data).digest();
const base64url = (data: string | Buffer) => Buffer.from(data).toString("base64url");

/** A passkey as Chromium's virtual authenticator has it, in base64. */
interface HeldPasskey {
  credentialId: string;
  /** PKCS #8. */
  privateKey: string;
  userHandle: string;
  signCount: number;
}

interface Made {
  origin?: string;
  /** Whether its passkeys are synced among devices. */
  isMultiDevice?: boolean;
  held?: HeldPasskey;
}

const keyPair = (der: Buffer) => {
  const privateKey = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
  return { privateKey, publicKey: createPublicKey(privateKey) };
};

/** Returns a new authenticator, or one that has a passkey. */
export function newAuthenticator(made: Made = {}): Authenticator {
  const { origin = "http://localhost:8080", isMultiDevice = false, held } = made;
  const ofHeld = (text: string | undefined) => text && Buffer.from(text, "base64");
  const der = ofHeld(held?.privateKey);
  const { privateKey, publicKey } = der ? keyPair(der) : generateKeyPairSync("ec", { namedCurve: "P-256" });
  const rawId = ofHeld(held?.credentialId) || randomBytes(32);
  const id = base64url(rawId);
  let counter = held?.signCount ?? 0;
  let userHandle = base64url(ofHeld(held?.userHandle) || "");

  const clientData = (type: string, options: Options, lies: Lies) =>
    JSON.stringify({
      type: lies.type ?? type,
      challenge: lies.challenge ?? options.challenge,
      origin: lies.origin ?? origin,
      crossOrigin: false,
    });
  const authenticatorData = (rpId: string, lies: Lies, attested: Buffer = Buffer.alloc(0)) => {
    counter = lies.counter ?? counter + 1;
    const flags =
      0x01 |
      (lies.unverified ? 0 : 0x04) |
      (isMultiDevice ? (lies.notBackedUp ? 0x08 : 0x18) : 0) |
      (attested.length > 0 ? 0x40 : 0);
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([sha256(lies.rpId ?? rpId), Buffer.from([flags]), count, attested]);
  };

  return {
    id,
    create(options, lies = {}) {
      userHandle = options.user?.id ?? "";
      const length = Buffer.alloc(2);
      length.writeUInt16BE(rawId.length);
      const attested = Buffer.concat([Buffer.alloc(16), length, rawId, coseKey(publicKey)]);
      const data = authenticatorData(options.rp?.id ?? "", lies, attested);
      // CBOR: {"fmt": "none", "attStmt": {}, "authData": data}
      const attestationObject = Buffer.concat([
        Buffer.from("a363666d74646e6f6e656761747453746d74a068617574684461746159", "hex"),
        Buffer.from([data.length >> 8, data.length & 255]),
        data,
      ]);
      const clientDataJSON = base64url(clientData("webauthn.create", options, lies));
      const response = { clientDataJSON, attestationObject: base64url(attestationObject), transports: ["internal"] };
      return JSON.stringify({ id, rawId: id, type: "public-key", response });
    },
    get(options, lies = {}) {
      const data = authenticatorData(options.rpId ?? "", lies);
      const client = clientData("webauthn.get", options, lies);
      const signature = createSign("sha256")
        .update(Buffer.concat([data, sha256(client)]))
        .sign(privateKey);
      const response = {
        clientDataJSON: base64url(client),
        authenticatorData: base64url(data),
        signature: base64url(signature),
        userHandle: lies.userHandle ?? userHandle,
      };
      return JSON.stringify({ id: lies.id ?? id, rawId: lies.id ?? id, type: "public-key", response });
    },
  };
}

/** Returns an ES256 key as COSE_Key (RFC 9053 §7.1.1). */
function coseKey(key: KeyObject): Buffer {
  const { x = "", y = "" } = key.export({ format: "jwk" });
  const [head, middle] = [Buffer.from("a5010203262001215820", "hex"), Buffer.from("225820", "hex")];
  return Buffer.concat([head, Buffer.from(x, "base64url"), middle, Buffer.from(y, "base64url")]);
}
