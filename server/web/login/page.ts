/**
 * How the handlers of the sign-in pages begin: each opens the flow it carries, and a page also finds the application and
 * the frame it is shown in. Where that fails, the answer is ready and the handler is not asked.
 */
import type { Context } from "../../context";
import type { Http } from "../../http/env";
import type { Handler } from "../../http/routes";
import type { DirectPage } from "../../oidc/flow";
import { pageAnswer } from "../authorization";
import type { PageResponse } from "../pages/render";
import { type LoginRequest, openLogin, type Setting, settingOf, tooMany } from "./login-request";

type LoginHandler = (ctx: Context, http: Http, login: LoginRequest) => Response | Promise<Response>;
type PageHandler = (ctx: Context, http: Http, login: LoginRequest, setting: Setting) => Response | Promise<Response>;

/** A handler of a form or page of a flow. */
export const onLogin = (handler: LoginHandler): Handler => opening(undefined, handler);

/** The same for an address that may be opened without a flow. @param page what is signed in for then */
export const onDirectLogin = (page: DirectPage["page"], handler: LoginHandler): Handler => opening({ page }, handler);

/** A handler that shows a page of a flow. */
export const page = (handler: PageHandler): Handler => onLogin(inSetting(handler));

/** The same for an address that may be opened without a flow. @param page what is signed in for then */
export const directPage = (page: DirectPage["page"], handler: PageHandler): Handler =>
  onDirectLogin(page, inSetting(handler));

function opening(otherwise: DirectPage | undefined, handler: LoginHandler): Handler {
  return async (ctx, http) => {
    const login = await openLogin(ctx, http, otherwise);
    return login instanceof Response ? login : handler(ctx, http, login);
  };
}

function inSetting(handler: PageHandler): LoginHandler {
  return async (ctx, http, login) => {
    const setting = await settingOf(ctx, http, login);
    return setting instanceof Response ? setting : handler(ctx, http, login, setting);
  };
}

/** Shows a page of the flow, for handlers that know only after a look at the flow which one. */
export async function showPage(
  ctx: Context,
  http: Http,
  login: LoginRequest,
  draw: (setting: Setting) => PageResponse | Promise<PageResponse>,
): Promise<Response> {
  const setting = await settingOf(ctx, http, login);
  return setting instanceof Response ? setting : pageAnswer(http, await draw(setting));
}

/** Shows that there were too many requests from one network. */
export async function showTooMany(ctx: Context, http: Http, login: LoginRequest): Promise<Response> {
  const setting = await settingOf(ctx, http, login);
  return setting instanceof Response ? setting : tooMany(ctx, http, setting.frame);
}
