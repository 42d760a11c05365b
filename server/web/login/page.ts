/**
 * Wrappers for the handlers of the sign-in pages: each opens the flow of the request, and for a page also finds the
 * application and the frame. If that fails, the error response is returned and the handler is not called.
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

/** Creates a handler of a form or page of a flow. */
export const onLogin = (handler: LoginHandler): Handler => opening(undefined, handler);

/**
 * Creates a handler of an address that may be opened without a flow.
 * @param page the target of the sign-in in that case
 */
export const onDirectLogin = (page: DirectPage["page"], handler: LoginHandler): Handler => opening({ page }, handler);

/** Creates a handler that shows a page of a flow. */
export const page = (handler: PageHandler): Handler => onLogin(inSetting(handler));

/**
 * Creates a handler that shows a page and may be opened without a flow.
 * @param page the target of the sign-in in that case
 */
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

/** Shows a page of the flow, for handlers that select the page after reading the flow. */
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
