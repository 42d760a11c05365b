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
import { openStep, type Setting, type Step, settingOf, tooMany } from "./step";

type StepHandler = (ctx: Context, http: Http, step: Step) => Response | Promise<Response>;
type PageHandler = (ctx: Context, http: Http, step: Step, setting: Setting) => Response | Promise<Response>;

/** A handler of a form or page of a flow. */
export const onStep = (handler: StepHandler): Handler => opening(undefined, handler);

/** The same for an address that may be opened without a flow. @param page what is signed in for then */
export const onDirectStep = (page: DirectPage["page"], handler: StepHandler): Handler => opening({ page }, handler);

/** A handler that shows a page of a flow. */
export const page = (handler: PageHandler): Handler => onStep(inSetting(handler));

/** The same for an address that may be opened without a flow. @param page what is signed in for then */
export const directPage = (page: DirectPage["page"], handler: PageHandler): Handler =>
  onDirectStep(page, inSetting(handler));

function opening(otherwise: DirectPage | undefined, handler: StepHandler): Handler {
  return async (ctx, http) => {
    const step = await openStep(ctx, http, otherwise);
    return step instanceof Response ? step : handler(ctx, http, step);
  };
}

function inSetting(handler: PageHandler): StepHandler {
  return async (ctx, http, step) => {
    const setting = await settingOf(ctx, http, step);
    return setting instanceof Response ? setting : handler(ctx, http, step, setting);
  };
}

/** Shows a page of the flow, for handlers that know only after a look at the flow which one. */
export async function showPage(
  ctx: Context,
  http: Http,
  step: Step,
  draw: (setting: Setting) => PageResponse | Promise<PageResponse>,
): Promise<Response> {
  const setting = await settingOf(ctx, http, step);
  return setting instanceof Response ? setting : pageAnswer(http, await draw(setting));
}

/** Shows that there were too many requests from one network. */
export async function showTooMany(ctx: Context, http: Http, step: Step): Promise<Response> {
  const setting = await settingOf(ctx, http, step);
  return setting instanceof Response ? setting : tooMany(ctx, http, setting.frame);
}
