// A temporary LDAP directory of OpenLDAP (slapd) for tests: temporary folder, free loopback ports, a few entries.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { freePort } from "./free-port.mjs";

const PROGRAM = "/usr/sbin/slapd";
const START_MS = 30_000;

export const findSlapd = () => (fs.existsSync(PROGRAM) ? PROGRAM : undefined);

/** What Active Directory has and OpenLDAP does not. */
const AD = `
attributetype ( 1.2.840.113556.1.4.2 NAME 'objectGUID' SYNTAX 1.3.6.1.4.1.1466.115.121.1.40 SINGLE-VALUE )
attributetype ( 1.2.840.113556.1.4.221 NAME 'sAMAccountName' EQUALITY caseIgnoreMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 SINGLE-VALUE )
objectclass ( 1.2.840.113556.1.5.9 NAME 'adUser' SUP top AUXILIARY MAY ( objectGUID $ sAMAccountName ) )
`;

/**
 * Starts a directory with the suffix dc=acme,dc=test, whose administrator is cn=admin,dc=acme,dc=test.
 * @param {{ ldif: string, password: string, certificate: string, key: string }} options key and certificate as PEM
 * @returns {Promise<{ plain: string, tls: string, stop: () => Promise<void> }>} the addresses without path
 */
export async function startSlapd({ ldif, password, certificate, key }) {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), "slapd-"));
  const file = (name, content) => {
    fs.writeFileSync(path.join(dir, name), content, { mode: 0o600 });
    return path.join(dir, name);
  };
  fs.mkdirSync(path.join(dir, "data"));
  const schemas = ["core", "cosine", "inetorgperson"].map((name) => `include /etc/ldap/schema/${name}.schema`);
  const config = file(
    "slapd.conf",
    [
      ...schemas,
      AD,
      "modulepath /usr/lib/ldap",
      ...["back_mdb", "memberof"].map((name) => `moduleload ${name}`),
      `TLSCertificateFile ${file("cert.pem", certificate)}`,
      `TLSCertificateKeyFile ${file("key.pem", key)}`,
      `database mdb\nsuffix dc=acme,dc=test\nrootdn cn=admin,dc=acme,dc=test\nrootpw "${password}"`,
      `directory ${path.join(dir, "data")}\ndbnosync`,
    ].join("\n"),
  );
  const added = spawnSync("/usr/sbin/slapadd", ["-f", config], { input: ldif, encoding: "utf8" });
  if (added.status !== 0) throw new Error(`slapadd failed: ${added.error ?? added.stderr}`);
  const [plain, tls] = [await freePort(), await freePort()];
  const flags = ["-d", "config", "-f", config, "-h", `ldap://127.0.0.1:${plain}/ ldaps://127.0.0.1:${tls}/`];
  const child = spawn(PROGRAM, flags, { stdio: ["ignore", "ignore", "pipe"] });
  const stop = async () => {
    if (child.exitCode === null && child.kill()) await once(child, "exit");
    fs.rmSync(dir, { recursive: true });
  };
  let log = "";
  child.stderr.on("data", (data) => {
    log = (log + data).slice(-2_000);
  });
  try {
    const end = Date.now() + START_MS;
    while (!(await answers(plain))) {
      if (child.exitCode !== null || Date.now() > end) throw new Error(`slapd did not start: ${log}`);
      await setTimeout(50);
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return { plain: `ldap://localhost:${plain}`, tls: `ldaps://localhost:${tls}`, stop };
}

/** Resolves to whether a connection to the port is accepted. */
function answers(port) {
  return new Promise((resolve) => {
    const socket = net.connect(port, "127.0.0.1", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}
