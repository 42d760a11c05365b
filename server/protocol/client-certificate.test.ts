import { X509Certificate } from "node:crypto";
import { afterAll, describe, expect, it } from "vitest";
import { certificateMaker, clientCertHeader } from "../testing/client-certificates";
import {
  type CertificateName,
  clientCertificate,
  hasCertificateName,
  readForwardedCertificate,
} from "./client-certificate";

const maker = certificateMaker();
afterAll(() => maker.close());

describe("names in client certificates (RFC 8705 §2.1.2)", () => {
  const names = "DNS:app.example.com,URI:https://app.example.com/a,IP:10.0.0.7,IP:2001:db8::1,email:app@example.com";
  const issued = maker.issue("/C=DE/O=Acme, Inc./OU=A+OU=B/CN=Bank ä", names);
  const certificate = clientCertificate(new X509Certificate(issued.cert), true);
  const has = (kind: CertificateName["kind"], value: string) => hasCertificateName(certificate, { kind, value });

  it.each<[CertificateName["kind"], string]>([
    ["subjectDn", "CN=Bank ä,OU=A+OU=B,O=Acme\\, Inc.,C=DE"],
    ["subjectDn", "cn=Bank \\C3\\A4, ou=B + ou=A, o=Acme\\2C Inc., c=DE"],
    ["subjectDn", "2.5.4.3=Bank ä,2.5.4.11=B+2.5.4.11=A,2.5.4.10=Acme\\, Inc.,2.5.4.6=DE"],
    ["sanDns", "APP.example.com"],
    ["sanUri", "https://app.example.com/a"],
    ["sanIp", "10.0.0.7"],
    ["sanIp", "2001:DB8:0::1"],
    ["sanEmail", "app@example.com"],
  ])("include %s %s", (kind, value) => {
    expect(has(kind, value)).toBe(true);
  });

  it.each<[CertificateName["kind"], string]>([
    ["subjectDn", "C=DE,O=Acme\\, Inc.,OU=A,OU=B,CN=Bank ä"],
    ["subjectDn", "CN=Bank ä"],
    ["subjectDn", "CN=Bank ä,OU=B,OU=A,O=Acme\\, Inc.,C=DE"],
    ["subjectDn", "CN=Bank ä,OU=A+OU=B,O=Acme, Inc.,C=DE"],
    ["subjectDn", "Bank ä"],
    ["subjectDn", ""],
    ["sanDns", "example.com"],
    ["sanDns", "*.example.com"],
    ["sanUri", "https://app.example.com/"],
    ["sanIp", "10.0.0.70"],
    ["sanIp", "app.example.com"],
    ["sanEmail", "app.example.com"],
  ])("do not include %s %s", (kind, value) => {
    expect(has(kind, value)).toBe(false);
  });

  it("cannot contain other names by separators in them", () => {
    const subjectAltName = 'URI:"https://a.example.com/?, DNS:bank.example.com", DNS:a.example.com';
    const sly = { ...certificate, x509: { subjectAltName } as X509Certificate };
    expect(hasCertificateName(sly, { kind: "sanDns", value: "bank.example.com" })).toBe(false);
    expect(hasCertificateName(sly, { kind: "sanDns", value: "a.example.com" })).toBe(true);
    const inSubject = maker.selfSigned("/CN=x,O=Acme");
    const dn = clientCertificate(new X509Certificate(inSubject.cert), true);
    expect(hasCertificateName(dn, { kind: "subjectDn", value: "CN=x,O=Acme" })).toBe(false);
    expect(hasCertificateName(dn, { kind: "subjectDn", value: "CN=x\\,O=Acme" })).toBe(true);
  });

  it("are read from the headers of proxies in both forms, and from nothing else", () => {
    const { thumbprint } = certificate;
    expect(readForwardedCertificate(clientCertHeader(issued))?.thumbprint).toBe(thumbprint);
    expect(readForwardedCertificate(encodeURIComponent(issued.cert))?.thumbprint).toBe(thumbprint);
    const twice = `${clientCertHeader(issued)}, ${clientCertHeader(issued)}`;
    for (const header of [
      "",
      "::",
      ":AAAA:",
      "%",
      "%ZZ",
      "-----BEGIN",
      twice,
      `${encodeURIComponent(issued.cert)},x`,
    ]) {
      expect(readForwardedCertificate(header)).toBeUndefined();
    }
  });
});
