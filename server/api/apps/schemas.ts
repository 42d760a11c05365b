/** The settings of apps in requests. */
import { apiSettings, certificateNames, oidcSettings, oidcSettingsShape } from "../../directory/app/settings";
import { orAbsent } from "../operation/schemas";

const jwksUri = orAbsent(oidcSettingsShape.jwksUri);

export const oidcBody = {
  ...oidcSettings.shape,
  backChannelLogoutUri: orAbsent(oidcSettingsShape.backChannelLogoutUri),
  frontChannelLogoutUri: orAbsent(oidcSettingsShape.frontChannelLogoutUri),
  sectorIdentifierUri: orAbsent(oidcSettingsShape.sectorIdentifierUri),
  initiateLoginUri: orAbsent(oidcSettingsShape.initiateLoginUri),
  jwksUri,
  tlsClientAuthSubjectDn: orAbsent(certificateNames.tlsClientAuthSubjectDn),
  tlsClientAuthSanDns: orAbsent(certificateNames.tlsClientAuthSanDns),
  tlsClientAuthSanUri: orAbsent(certificateNames.tlsClientAuthSanUri),
  tlsClientAuthSanIp: orAbsent(certificateNames.tlsClientAuthSanIp),
  tlsClientAuthSanEmail: orAbsent(certificateNames.tlsClientAuthSanEmail),
};

/** The settings of a request that are stored and have no effect. */
export const appSettingsWithoutEffect = (_: unknown, body: object): string[] =>
  ["skipNativeAppSuccessPage"].filter((name) => name in body);

export const apiBody = { ...apiSettings.shape, jwksUri };
