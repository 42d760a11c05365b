/** The organization services. */
import type { JsonObject } from "@bufbuild/protobuf";
import { findInstance } from "../../../directory/instance";
import type { OperationAddress } from "../../operation/operation";
import {
  dated,
  headOf,
  inServices,
  type Located,
  listTranslation,
  type MessageTranslation,
  sentOnly,
  stringIn,
  textFilter,
} from "./translation";

const ME = "/management/v1/orgs/me";
/** Version 2 calls the id `organizationId`, its beta `id`. */
const locate = async (_: unknown, { organizationId, id }: JsonObject): Promise<Located> => ({
  organizationId: stringIn(organizationId ?? id) || "none",
});

const change = (at: OperationAddress, date: string): MessageTranslation => ({
  at,
  locate,
  request: ({ name }) => sentOnly({ name }),
  answer: dated(date),
});
const changeDomain = (at: OperationAddress, date: string): MessageTranslation => ({
  at,
  locate,
  request: ({ domain, type }) => sentOnly({ domain, type }),
  answer: dated(date),
});

const DOMAIN = `${ME}/domains/{domain}` as const;
const domains = listTranslation(
  "domains",
  {
    domainFilter: textFilter("domainNameQuery", "name", "domain"),
    domainNameFilter: textFilter("domainNameQuery", "name"),
  },
  (row) => ({ ...row, organizationId: row.orgId, domain: row.domainName }),
);

const CODES = ["emailCode", "phoneCode"];
const adminsIn = ({ admins = [] }: JsonObject) => admins as JsonObject[];

/** A new user as version 1 has it. */
function humanOf({ userId, username, profile = {}, email = {}, phone = {}, password }: JsonObject): JsonObject {
  const { givenName, familyName, ...named } = profile as JsonObject;
  const { email: address = "", isVerified: isEmailVerified } = email as JsonObject;
  const { phone: number, isVerified: isPhoneVerified } = phone as JsonObject;
  return sentOnly({
    userId,
    userName: username ?? address,
    profile: sentOnly({ firstName: givenName, lastName: familyName, ...named }),
    email: sentOnly({ email: address, isEmailVerified }),
    phone: number === undefined ? undefined : sentOnly({ phone: number, isPhoneVerified }),
    password: (password as JsonObject | undefined)?.password,
  });
}

/** With existing users as administrators, or one new user; more new users are refused. */
const create: MessageTranslation = {
  at: ["POST /management/v1/orgs", "POST /admin/v1/orgs/_setup"],
  which(json) {
    const admins = adminsIn(json);
    if (admins.every(({ human }) => human === undefined)) return 0;
    return admins.length === 1 ? 1 : 2;
  },
  request({ name, organizationId, orgId, id, ...rest }) {
    const organization = sentOnly({ name, id: organizationId ?? orgId ?? id });
    const admins = adminsIn(rest);
    const [{ human, roles } = {}] = admins;
    if (human !== undefined) return sentOnly({ org: organization, human: humanOf(human as JsonObject), roles });
    return admins.length === 0 ? organization : { ...organization, admins };
  },
  ignored: [
    "organization",
    "metadata",
    "password.changeRequired",
    "hashedPassword",
    "idpLinks",
    "totpSecret",
    "email.sendCode",
    "email.returnCode",
    "phone.sendCode",
    "phone.returnCode",
  ].map((name) => `admins.human.${name}`),
};

const shared: Record<string, MessageTranslation> = {
  UpdateOrganization: change(`PUT ${ME}`, "changeDate"),
  DeleteOrganization: change(`DELETE ${ME}`, "deletionDate"),
  DeactivateOrganization: change(`POST ${ME}/_deactivate`, "changeDate"),
  ActivateOrganization: change(`POST ${ME}/_reactivate`, "changeDate"),
  AddOrganizationDomain: changeDomain(`POST ${ME}/domains`, "creationDate"),
  ListOrganizationDomains: {
    at: `POST ${ME}/domains/_search`,
    locate,
    ...domains,
    request: withoutOwner(domains.request),
  },
  DeleteOrganizationDomain: changeDomain(`DELETE ${DOMAIN}`, "deletionDate"),
  GenerateOrganizationDomainValidation: changeDomain(`POST ${DOMAIN}/validation/_generate`, "changeDate"),
  VerifyOrganizationDomain: changeDomain(`POST ${DOMAIN}/validation/_validate`, "changeDate"),
};

/** The organization in the message is where the request goes to, no member of its body. */
function withoutOwner(request: (json: JsonObject) => JsonObject) {
  return ({ organizationId: _, ...rest }: JsonObject) => request(rest);
}

const organizationOf = (row: JsonObject): object => ({
  ...row,
  changedDate: headOf(row).changeDate,
  creationDate: headOf(row).creationDate,
});

export const organizationTranslations = {
  ...inServices(["org.v2.OrganizationService", "org.v2beta.OrganizationService"], shared),
  ...inServices(["org.v2.OrganizationService"], {
    AddOrganization: {
      ...create,
      answer: ({ id, orgId, userId, details }) => ({
        details,
        organizationId: id ?? orgId,
        createdAdmins: userId === undefined ? [] : [{ userId }],
      }),
      empty: CODES.map((name) => `createdAdmins.${name}`),
    },
    ListOrganizations: {
      at: "POST /admin/v1/orgs/_search",
      locate: async (ctx) => ({ defaultId: (await findInstance(ctx)).defaultOrganizationId ?? "none" }),
      request: ({ query, queries = [] }, _, { defaultId = "" }) =>
        sentOnly({
          query,
          queries: (queries as JsonObject[]).map(({ defaultQuery, ...one }) =>
            defaultQuery === undefined ? namedState(one) : { idQuery: { id: defaultId } },
          ),
        }),
      answer: ({ result = [], ...json }) => ({
        ...json,
        result: (result as JsonObject[]).map((row) => ({ ...row, state: `ORGANIZATION_STATE_${stateOf(row)}` })),
      }),
    },
  }),
  ...inServices(["org.v2beta.OrganizationService"], {
    CreateOrganization: {
      ...create,
      answer: (json, sent) => ({
        ...dated("creationDate")(json),
        id: json.id ?? json.orgId,
        organizationAdmins:
          json.userId === undefined
            ? adminsIn(sent).map(({ userId }) => ({ assignedAdmin: { userId } }))
            : [{ createdAdmin: { userId: json.userId } }],
      }),
      empty: CODES.map((name) => `organizationAdmins.createdAdmin.${name}`),
    },
    ListOrganizations: {
      at: "POST /admin/v1/orgs/_search",
      ...listTranslation(
        "organizations",
        {
          nameFilter: textFilter("nameQuery", "name"),
          domainFilter: textFilter("domainQuery", "domain"),
          idFilter: (value) => ({ idQuery: value }),
          stateFilter: (value) => ({ stateQuery: value }),
        },
        organizationOf,
      ),
    },
  }),
};

const stateOf = ({ state }: JsonObject) => String(state).replace(/^ORG_STATE_/, "");

/** The enum of states has another prefix in version 2. */
function namedState({ stateQuery, ...rest }: JsonObject): JsonObject {
  if (stateQuery === undefined) return rest;
  const { state } = stateQuery as JsonObject;
  return { ...rest, stateQuery: { state: String(state).replace(/^ORGANIZATION_/, "ORG_") } };
}
