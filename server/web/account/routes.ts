/**
 * The read-only account pages: overview, security, sessions, apps, activity; and all addresses of the account pages.
 */

import { accountHref, SIGN_OUT_PATH } from "../../../components/login/account-frame";
import { shownName } from "../../../messages/person-name";
import { findClient } from "../../directory/app/app";
import type { Routes } from "../../http/routes";
import { browserTimeZone } from "../../http/time-zone";
import { listOwnSessions, readProtection } from "../../login/account/account";
import { listOwnActivity } from "../../login/account/activity";
import { listAgents } from "../../login/account/agents";
import { type ConnectedApp, listConnectedApps } from "../../login/account/apps";
import { findTimeZone } from "../../login/account/profile";
import { MAX_FACTOR_NAME_LENGTH } from "../../login/factors/set-up-factor";
import { findScopeDescriptions } from "../../login/scope-descriptions";
import { listStartedApps, startUrl } from "../../login/start-app";
import { clientWords } from "../../protocol/client-words";
import { deviceName } from "../../protocol/device-name";
import { factorKinds, isPermittedWay } from "../../protocol/second-factor";
import { passwordExpiry } from "../../sessions/required-action";
import { pageAnswer } from "../authorization";
import { carriedRefusal } from "../refusal";
import { accountConfirmRoute, accountSubmitRoute, CONFIRM_PATH } from "./confirm";
import {
  addressLinkRoute,
  addressLinkSubmitRoute,
  changeEmailPageRoute,
  changeEmailSubmitRoute,
  emailPageRoute,
  emailSubmitRoute,
  phonePageRoute,
  phoneSubmitRoute,
} from "./contact";
import { appPageRoute, appSubmitRoute, newPasskeyPageRoute, newPasskeySubmitRoute } from "./factors";
import { LINK_PATH, linkSubmitRoute, type RefusedLink, shownLinks } from "./links";
import { ownerPage } from "./open";
import {
  accountActivityPage,
  accountAppsPage,
  accountOverviewPage,
  accountSecurityPage,
  accountSessionsPage,
} from "./pages";
import { profilePageRoute, profileSubmitRoute } from "./profile";
import { accountSignOutRoute } from "./sign-out";

const overviewRoute = ownerPage(async (ctx, http, opened) => {
  const { owner, form, frame, fields } = opened;
  const { session, user } = owner;
  const [protection, sessions, connected] = await Promise.all([
    readProtection(ctx, owner),
    listOwnSessions(ctx, owner),
    listConnectedApps(ctx, user.id),
  ]);
  const page = accountOverviewPage(
    {
      fields,
      displayName: shownName(session, frame.locale),
      loginName: session.loginName,
      saved: form.has("saved"),
      email: user.email ?? undefined,
      isEmailVerified: Boolean(user.isEmailVerified),
      phone: user.phone ?? undefined,
      isPhoneVerified: Boolean(user.isPhoneVerified),
      passkeys: protection.passkeys.length,
      addPasskeyHref: accountHref("/account/passkey", fields),
      factors: protection.apps.length + protection.sent.filter(({ factor }) => factor).length,
      sessions: sessions.length,
      apps: connected.length,
      organizationName: user.organizationName,
    },
    frame,
  );
  return pageAnswer(http, page);
});

/** Returns a factor as the page shows it. */
const shownFactor = (row: { id: string; name: string | null; createdAt: number; usedAt: number | null }) => ({
  id: row.id,
  name: row.name ?? "",
  createdAt: row.createdAt,
  usedAt: row.usedAt ?? undefined,
});

const securityRoute = ownerPage(async (ctx, http, opened) => {
  const { owner, form, frame, fields } = opened;
  const { user } = owner;
  const [protection, expiry, timeZone, links] = await Promise.all([
    readProtection(ctx, owner),
    user.passwordHash === null ? undefined : passwordExpiry(ctx, user),
    findTimeZone(ctx, user.id, browserTimeZone(http)),
    shownLinks(ctx, owner),
  ]);
  const page = accountSecurityPage(
    {
      action: "/account/submit",
      fields,
      confirmPath: CONFIRM_PATH,
      saved: form.has("saved"),
      timeZone,
      passwordChangedAt: user.passwordHash === null ? undefined : (user.passwordChangedAt ?? undefined),
      passwordExpiresAt: expiry && expiry.warnAt <= ctx.clock() ? expiry.expiresAt : undefined,
      changePasswordHref: "/login/change-password",
      apps: protection.apps.map(shownFactor),
      addAppHref: isPermittedWay(protection.permitted, "totp") ? accountHref("/account/app", fields) : undefined,
      sent: protection.sent.map(({ kind, address, factor }) => ({
        kind,
        word: factorKinds[kind].word,
        address,
        factor: factor && shownFactor(factor),
        isOffered: isPermittedWay(protection.permitted, kind),
      })),
      passkeys: protection.passkeys.map((row) => ({ ...shownFactor(row), synced: Boolean(row.isBackedUp) })),
      addPasskeyHref: accountHref("/account/passkey", fields),
      maximumNameLength: MAX_FACTOR_NAME_LENGTH,
      recoveryCodesLeft: protection.recoveryCodesLeft,
      organizationName: user.organizationName,
      ...links,
      ...carriedRefusal<RefusedLink>(ctx, http, form, owner.session.id),
    },
    frame,
  );
  return pageAnswer(http, page);
});

const sessionsRoute = ownerPage(async (ctx, http, opened) => {
  const { owner, form, frame, fields } = opened;
  const [rows, timeZone] = await Promise.all([
    listOwnSessions(ctx, owner),
    findTimeZone(ctx, owner.user.id, browserTimeZone(http)),
  ]);
  const sessions = rows.map(({ id, userAgentName, clientAddress, lastSeenAt }) => ({
    id,
    device: deviceName(userAgentName ?? ""),
    address: clientAddress ?? undefined,
    lastSeenAt,
    current: id === owner.session.id,
  }));
  const { organizationName } = owner.user;
  const about = { fields, confirmPath: CONFIRM_PATH, saved: form.has("saved"), timeZone, organizationName };
  return pageAnswer(http, accountSessionsPage({ ...about, sessions }, frame));
});

const appsRoute = ownerPage(async (ctx, http, opened) => {
  const { owner, form, frame, fields } = opened;
  const { id, organizationName } = owner.user;
  const [connected, acting, started, timeZone] = await Promise.all([
    listConnectedApps(ctx, id),
    listAgents(ctx, id),
    listStartedApps(ctx, id),
    findTimeZone(ctx, id, browserTimeZone(http)),
  ]);
  const described = async (app: ConnectedApp) => {
    const client = await findClient(ctx, app.clientId);
    const name = client ? clientWords(client, frame.locale).name : app.name;
    return { ...app, name, projectScopes: await findScopeDescriptions(ctx, app.clientId, app.scope, frame.locale) };
  };
  const apps = await Promise.all(
    connected.map(async (app) => {
      const startHref = startUrl(ctx, await findClient(ctx, app.clientId), owner.session.loginName);
      return { ...(await described(app)), startHref };
    }),
  );
  const agents = await Promise.all(acting.map(async ({ app, ...agent }) => ({ ...agent, app: await described(app) })));
  const others = started
    .filter(({ client }) => !connected.some(({ clientId }) => clientId === client.clientId))
    .map(({ client, href }) => ({ name: client.appName, startHref: href }));
  const about = { fields, confirmPath: CONFIRM_PATH, saved: form.has("saved"), timeZone, organizationName };
  return pageAnswer(http, accountAppsPage({ ...about, apps, agents, others }, frame));
});

const activityRoute = ownerPage(async (ctx, http, opened) => {
  const { owner, form, frame, fields } = opened;
  const { id, organizationName } = owner.user;
  const wanted = form.get("before") ?? "";
  // Values that are not event numbers are ignored.
  const before = /^\d{1,9}$/.test(wanted) ? Number(wanted) : undefined;
  const [{ entries, olderBefore }, timeZone] = await Promise.all([
    listOwnActivity(ctx, owner.user, before),
    findTimeZone(ctx, id, browserTimeZone(http)),
  ]);
  const isOlder = before !== undefined;
  return pageAnswer(
    http,
    accountActivityPage({ fields, timeZone, entries, olderBefore, isOlder, organizationName }, frame),
  );
});

export const accountRoutes: Routes = {
  "/account": { GET: overviewRoute },
  "/account/profile": { GET: profilePageRoute },
  "/account/profile/submit": { POST: profileSubmitRoute },
  "/account/email": { GET: emailPageRoute },
  "/account/email/submit": { POST: emailSubmitRoute },
  "/account/email/change": { GET: changeEmailPageRoute },
  "/account/email/change/submit": { POST: changeEmailSubmitRoute },
  "/account/email/confirm": { GET: addressLinkRoute },
  "/account/email/confirm/submit": { POST: addressLinkSubmitRoute },
  "/account/phone": { GET: phonePageRoute },
  "/account/phone/submit": { POST: phoneSubmitRoute },
  "/account/security": { GET: securityRoute },
  "/account/app": { GET: appPageRoute },
  "/account/app/submit": { POST: appSubmitRoute },
  "/account/passkey": { GET: newPasskeyPageRoute },
  "/account/passkey/submit": { POST: newPasskeySubmitRoute },
  [SIGN_OUT_PATH]: { POST: accountSignOutRoute },
  "/account/sessions": { GET: sessionsRoute },
  "/account/apps": { GET: appsRoute },
  "/account/activity": { GET: activityRoute },
  [CONFIRM_PATH]: { GET: accountConfirmRoute },
  [LINK_PATH]: { POST: linkSubmitRoute },
  "/account/submit": { POST: accountSubmitRoute },
};
