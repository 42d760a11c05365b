/** The settings of apps as requests have them. */
import { apiSettings, oidcSettings, oidcSettingsShape } from "../../directory/app/settings";
import { orAbsent } from "../operation/schemas";

const jwksUri = orAbsent(oidcSettingsShape.jwksUri);

export const oidcBody = {
  ...oidcSettings.shape,
  backChannelLogoutUri: orAbsent(oidcSettingsShape.backChannelLogoutUri),
  initiateLoginUri: orAbsent(oidcSettingsShape.initiateLoginUri),
  jwksUri,
};

export const apiBody = { ...apiSettings.shape, jwksUri };
