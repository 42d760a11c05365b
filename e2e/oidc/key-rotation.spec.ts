/**
 * Verifiers that fetch the key set by themselves (jose's createRemoteJWKSet) across a rotation by the operator's
 * command: tokens signed before and after it verify with one fetch, because keys are published ahead.
 */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import Database from "better-sqlite3";
import { createRemoteJWKSet, decodeProtectedHeader, jwksCache, jwtVerify } from "jose";
import { directory, machine } from "../directory";
import { expect, test } from "../fixtures";
import { startService } from "../service";

const run = promisify(execFile);
const admin = join(import.meta.dirname, "../../dist/admin.mjs");

test("jose verifies tokens across a key rotation", async ({ application }) => {
  test.slow(); // its own service, the operator's command twice, and the seconds until it takes effect
  const service = await startService({ bootstrap: jwtMachine(directory(application, [])) });
  try {
    const keysAddress = new URL(`${service.baseUrl}/oauth/v2/keys`);
    const cache = {};
    const warm = createRemoteJWKSet(keysAddress, { cooldownDuration: 3_600_000, [jwksCache]: cache });
    const verify = async (keys: typeof warm, token: string) => {
      const options = { issuer: service.baseUrl, typ: "at+jwt", algorithms: ["RS256"] };
      const { payload } = await jwtVerify(token, keys, options);
      expect(payload.sub).toBe("m-ci");
    };
    const before = await accessToken(service.baseUrl);
    await verify(warm, before);
    const fetched = { ...cache };

    const env = { ...service.env, NODE_ENV: "production" as const };
    const rotate = () => run(process.execPath, [admin, "keys", "rotate"], { env, cwd: service.folder });
    growOld(service.folder);
    const { stdout } = await rotate();
    expect(stdout).toContain("signs within seconds");
    let after = "";
    await expect(async () => {
      after = await accessToken(service.baseUrl);
      expect(decodeProtectedHeader(after).kid).not.toBe(decodeProtectedHeader(before).kid);
    }).toPass();

    await verify(warm, after);
    expect(cache).toEqual(fetched); // the key was cached already
    await verify(warm, before);
    const cold = createRemoteJWKSet(keysAddress);
    for (const token of [before, after]) await verify(cold, token);

    // The key that now waits was just published: it must not sign before caches can have it.
    expect((await rotate()).stdout).toMatch(/RS256 key \S+ signs from 2/);
  } finally {
    await service.stop();
  }
});

/** Returns the directory with a machine whose access tokens are JWTs. */
function jwtMachine(whole: ReturnType<typeof directory>) {
  const text = JSON.stringify(whole, (_, value) =>
    value?.userName === machine.clientId ? { ...value, accessTokenType: "ACCESS_TOKEN_TYPE_JWT" } : value,
  );
  return JSON.parse(text) as unknown;
}

async function accessToken(baseUrl: string): Promise<string> {
  const form = { grant_type: "client_credentials", client_id: machine.clientId, client_secret: machine.secret };
  const response = await fetch(`${baseUrl}/oauth/v2/token`, { method: "POST", body: new URLSearchParams(form) });
  return ((await response.json()) as { access_token: string }).access_token;
}

/** Ages the database by an hour, because the service's clock cannot be changed from outside. */
function growOld(folder: string): void {
  const database = new Database(join(folder, "service.db"));
  const hour = 3_600_000;
  database
    .prepare(`UPDATE "SigningKey" SET "createdAt" = "createdAt" - ?, "activeFrom" = "activeFrom" - ?`)
    .run(hour, hour);
  database.close();
}
