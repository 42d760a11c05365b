/**
 * The numbers of enum values, which clients made from protocol buffers send in place of the names (proto3 JSON mapping:
 * "accepts both enum names and integer values"). By the part that the names of one enum share; a value's number is its
 * place. Enums that are not named here have no numbers.
 */
const FAMILIES: readonly (readonly string[])[] = [
  ["OIDC_RESPONSE_TYPE_CODE", "OIDC_RESPONSE_TYPE_ID_TOKEN", "OIDC_RESPONSE_TYPE_ID_TOKEN_TOKEN"],
  [
    "OIDC_GRANT_TYPE_AUTHORIZATION_CODE",
    "OIDC_GRANT_TYPE_IMPLICIT",
    "OIDC_GRANT_TYPE_REFRESH_TOKEN",
    "OIDC_GRANT_TYPE_DEVICE_CODE",
    "OIDC_GRANT_TYPE_TOKEN_EXCHANGE",
  ],
  ["OIDC_APP_TYPE_WEB", "OIDC_APP_TYPE_USER_AGENT", "OIDC_APP_TYPE_NATIVE"],
  [
    "OIDC_AUTH_METHOD_TYPE_BASIC",
    "OIDC_AUTH_METHOD_TYPE_POST",
    "OIDC_AUTH_METHOD_TYPE_NONE",
    "OIDC_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT",
  ],
  ["API_AUTH_METHOD_TYPE_BASIC", "API_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT"],
  ["OIDC_TOKEN_TYPE_BEARER", "OIDC_TOKEN_TYPE_JWT"],
  ["ACCESS_TOKEN_TYPE_BEARER", "ACCESS_TOKEN_TYPE_JWT"],
  ["OIDC_VERSION_1_0"],
  ["KEY_TYPE_UNSPECIFIED", "KEY_TYPE_JSON"],
  ["TYPE_EMAIL", "TYPE_SMS"],
  ["NOTIFICATION_TYPE_Unspecified", "NOTIFICATION_TYPE_Email", "NOTIFICATION_TYPE_SMS"],
  ["GENDER_UNSPECIFIED", "GENDER_FEMALE", "GENDER_MALE", "GENDER_DIVERSE"],
  ["DOMAIN_VALIDATION_TYPE_UNSPECIFIED", "DOMAIN_VALIDATION_TYPE_HTTP", "DOMAIN_VALIDATION_TYPE_DNS"],
  [
    "USER_STATE_UNSPECIFIED",
    "USER_STATE_ACTIVE",
    "USER_STATE_INACTIVE",
    "USER_STATE_DELETED",
    "USER_STATE_LOCKED",
    "USER_STATE_SUSPEND",
    "USER_STATE_INITIAL",
  ],
  ["TYPE_UNSPECIFIED", "TYPE_HUMAN", "TYPE_MACHINE"],
  ["ORG_STATE_UNSPECIFIED", "ORG_STATE_ACTIVE", "ORG_STATE_INACTIVE"],
  ["PROJECT_STATE_UNSPECIFIED", "PROJECT_STATE_ACTIVE", "PROJECT_STATE_INACTIVE"],
  ["APP_STATE_UNSPECIFIED", "APP_STATE_ACTIVE", "APP_STATE_INACTIVE"],
  ["USER_GRANT_STATE_UNSPECIFIED", "USER_GRANT_STATE_ACTIVE", "USER_GRANT_STATE_INACTIVE"],
  [
    "TEXT_QUERY_METHOD_EQUALS",
    "TEXT_QUERY_METHOD_EQUALS_IGNORE_CASE",
    "TEXT_QUERY_METHOD_STARTS_WITH",
    "TEXT_QUERY_METHOD_STARTS_WITH_IGNORE_CASE",
    "TEXT_QUERY_METHOD_CONTAINS",
    "TEXT_QUERY_METHOD_CONTAINS_IGNORE_CASE",
    "TEXT_QUERY_METHOD_ENDS_WITH",
    "TEXT_QUERY_METHOD_ENDS_WITH_IGNORE_CASE",
  ],
  [
    "TEXT_FILTER_METHOD_EQUALS",
    "TEXT_FILTER_METHOD_EQUALS_IGNORE_CASE",
    "TEXT_FILTER_METHOD_STARTS_WITH",
    "TEXT_FILTER_METHOD_STARTS_WITH_IGNORE_CASE",
    "TEXT_FILTER_METHOD_CONTAINS",
    "TEXT_FILTER_METHOD_CONTAINS_IGNORE_CASE",
    "TEXT_FILTER_METHOD_ENDS_WITH",
    "TEXT_FILTER_METHOD_ENDS_WITH_IGNORE_CASE",
  ],
  [
    "AUTH_FACTOR_STATE_UNSPECIFIED",
    "AUTH_FACTOR_STATE_NOT_READY",
    "AUTH_FACTOR_STATE_READY",
    "AUTH_FACTOR_STATE_REMOVED",
  ],
  ["OTP", "OTP_SMS", "OTP_EMAIL", "U2F"],
  [
    "TIMESTAMP_FILTER_METHOD_EQUALS",
    "TIMESTAMP_FILTER_METHOD_AFTER",
    "TIMESTAMP_FILTER_METHOD_AFTER_OR_EQUALS",
    "TIMESTAMP_FILTER_METHOD_BEFORE",
    "TIMESTAMP_FILTER_METHOD_BEFORE_OR_EQUALS",
  ],
  [
    "USER_FIELD_NAME_UNSPECIFIED",
    "USER_FIELD_NAME_USER_NAME",
    "USER_FIELD_NAME_FIRST_NAME",
    "USER_FIELD_NAME_LAST_NAME",
    "USER_FIELD_NAME_NICK_NAME",
    "USER_FIELD_NAME_DISPLAY_NAME",
    "USER_FIELD_NAME_EMAIL",
    "USER_FIELD_NAME_STATE",
    "USER_FIELD_NAME_TYPE",
    "USER_FIELD_NAME_CREATION_DATE",
  ],
];

const FAMILY_OF = new Map(FAMILIES.flatMap((family) => family.map((name) => [name, family] as const)));

/**
 * The value with this number among those an enum allows.
 * @param allowed the names that are allowed
 * @returns undefined if the enum has no numbers, or none such
 */
export function valueOfNumber(number: number, allowed: readonly unknown[]): string | undefined {
  const families = new Set(allowed.map((name) => FAMILY_OF.get(String(name))));
  for (const family of families) {
    const name = family?.[number];
    if (name !== undefined && allowed.includes(name)) return name;
  }
  return undefined;
}

/** The numbers of the values an enum allows, for its documentation: `0` for `OIDC_APP_TYPE_WEB`. */
export function numbersOf(allowed: readonly unknown[]): [number: number, name: string][] {
  return allowed.flatMap((name): [number, string][] => {
    const number = FAMILY_OF.get(String(name))?.indexOf(String(name));
    return number === undefined ? [] : [[number, String(name)]];
  });
}
