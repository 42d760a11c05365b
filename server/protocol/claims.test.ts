import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ClaimsSource, idTokenScopeClaims, type PersonClaims, userClaimNames, userClaims } from "./claims";

const ada: PersonClaims = {
  kind: "human",
  preferredLoginName: "ada@acme.test",
  firstName: "Ada",
  lastName: "Lovelace",
  nickName: "Countess",
  displayName: "Ada Lovelace",
  preferredLanguage: "en",
  gender: "female",
  claims: {
    middle_name: "K",
    website: "https://ada.test",
    profile: "https://ada.test/me",
    picture: "https://ada.test/p.png",
    birthdate: "1815-12-10",
    zoneinfo: "Europe/London",
  },
  address: { street_address: "12 St James's Square", locality: "London", country: "UK", note: "ring twice" },
  email: "ada@acme.test",
  isEmailVerified: 1,
  phone: "+441234567890",
  isPhoneVerified: false,
  changedAt: 1_700_000_000_999,
};
const profile = {
  name: "Ada Lovelace",
  given_name: "Ada",
  family_name: "Lovelace",
  middle_name: "K",
  nickname: "Countess",
  preferred_username: "ada@acme.test",
  profile: "https://ada.test/me",
  picture: "https://ada.test/p.png",
  website: "https://ada.test",
  gender: "female",
  birthdate: "1815-12-10",
  zoneinfo: "Europe/London",
  locale: "en",
  updated_at: 1_700_000_000,
};
const email = { email: "ada@acme.test", email_verified: true };
const phone = { phone_number: "+441234567890", phone_number_verified: false };
const address = { address: { street_address: "12 St James's Square", locality: "London", country: "UK" } };

describe("claims by scope (OIDC Core §5.4)", () => {
  it.each([
    [["openid"], {}],
    [["openid", "profile"], profile],
    [["openid", "email"], email],
    [["openid", "phone"], phone],
    [["openid", "address"], address],
    [["address", "email", "openid", "phone", "profile"], { ...profile, ...email, ...phone, ...address }],
    [["offline_access", "constructor", "__proto__"], {}],
  ])("%j", (scopes, expected) => {
    expect(userClaims(ada, scopes)).toStrictEqual(expected);
  });

  it("includes the available claims of machines", () => {
    const ci: ClaimsSource = {
      kind: "machine",
      preferredLoginName: "ci@acme.test",
      name: "CI",
      changedAt: 1_700_000_000_000,
    };
    expect(userClaims(ci, ["profile", "email", "phone", "address"])).toStrictEqual({
      name: "CI",
      preferred_username: "ci@acme.test",
      updated_at: 1_700_000_000,
    });
  });

  it("includes the claims that the claims parameter requests by name (§5.5)", () => {
    expect(userClaims(ada, ["openid"], ["name"])).toStrictEqual({ name: "Ada Lovelace" });
    expect(userClaims(ada, ["email"], ["email", "address", "acr", "sub", "constructor"])).toStrictEqual({
      ...email,
      ...address,
    });
  });
});

describe("claim values (OIDC Core §5.1, §5.3.2)", () => {
  const show = (changes: Partial<PersonClaims>, scopes = ["profile", "email", "phone", "address"]) =>
    userClaims({ ...ada, ...changes }, scopes);

  it.each([
    [{ displayName: null }, { name: "Ada Lovelace" }],
    [{ displayName: "", firstName: null }, { name: "Lovelace" }],
    [{ displayName: "Æ" }, { name: "Æ" }],
    [{ isEmailVerified: 0 }, { email_verified: false }],
    [{ isPhoneVerified: true }, { phone_number_verified: true }],
    [{ claims: { birthdate: "0000-12-10" } }, { birthdate: "0000-12-10" }],
    [{ claims: { birthdate: "1990" } }, { birthdate: "1990" }],
  ])("for %j are %j", (changes, expected) => {
    expect(show(changes)).toMatchObject(expected);
  });

  it.each([
    [{ displayName: null, firstName: null, lastName: " " }, "name"],
    [{ firstName: "" }, "given_name"],
    [{ lastName: "null" }, "family_name"],
    [{ nickName: null }, "nickname"],
    [{ gender: undefined }, "gender"],
    [{ email: null }, "email"],
    [{ email: null }, "email_verified"],
    [{ phone: "" }, "phone_number"],
    [{ phone: "" }, "phone_number_verified"],
    [{ address: {} }, "address"],
    [{ address: null }, "address"],
    [{ address: { locality: "", country: 7 } }, "address"],
    [{ claims: null }, "middle_name"],
    [{ claims: { website: "javascript:alert(1)" } }, "website"],
    [{ claims: { picture: "data:image/png;base64,x" } }, "picture"],
    [{ claims: { profile: "//ada.test" } }, "profile"],
    [{ claims: { profile: "javascript:location='https://ada.test'" } }, "profile"],
    [{ claims: { birthdate: "10.12.1990" } }, "birthdate"],
    [{ claims: { birthdate: "1990-13-01" } }, "birthdate"],
    [{ claims: { birthdate: "0000" } }, "birthdate"],
    [{ claims: { birthdate: "1990-12" } }, "birthdate"],
    [{ claims: { zoneinfo: 7 } }, "zoneinfo"],
    [{ changedAt: Number.NaN }, "updated_at"],
    [{ changedAt: 0 }, "updated_at"],
  ])("for %j do not include %s", (changes, name) => {
    expect(show(changes)).not.toHaveProperty(name);
  });

  it("are never null or empty, and only requested claims are included (property)", () => {
    const value = fc.option(fc.oneof(fc.string(), fc.constantFrom("null", " ", "https://a.test")));
    const source = fc.record({
      kind: fc.constant("human" as const),
      preferredLoginName: fc.string(),
      firstName: value,
      displayName: value,
      email: value,
      phone: value,
      claims: fc.option(fc.dictionary(fc.constantFrom("birthdate", "website", "zoneinfo"), fc.jsonValue())),
      address: fc.option(fc.dictionary(fc.constantFrom("locality", "country", "x"), fc.jsonValue())),
      changedAt: fc.double(),
    });
    fc.assert(
      fc.property(source, fc.subarray(["openid", "profile", "email", "phone", "address"]), (user, scopes) => {
        const claims = userClaims(user, scopes);
        for (const [name, claim] of Object.entries(claims)) {
          expect(userClaimNames).toContain(name);
          expect(claim).not.toBeNull();
          if (typeof claim === "string") expect(claim.trim()).not.toBe("");
          if (typeof claim === "object") expect(Object.keys(claim as object).length).toBeGreaterThan(0);
        }
        if (!scopes.includes("email")) expect(claims).not.toHaveProperty("email");
      }),
    );
  });
});

describe("claims inside the id_token (rule AUTHORIZE-11)", () => {
  it.each([
    [true, false, []],
    [true, true, ["openid", "profile"]],
    [false, false, ["openid", "profile"]],
    [false, true, ["openid", "profile"]],
  ])("with an access token %s, assertion %s: %j", (issued, idTokenUserinfoAssertion, expected) => {
    expect(idTokenScopeClaims(["openid", "profile"], issued, { idTokenUserinfoAssertion })).toEqual(expected);
  });
});
