/** All sample pages, for previews in the editor of page texts and for the tests of every page. */
import { accountSamples } from "./account-samples";
import { factorSamples } from "./factor-samples";
import { loginSamples } from "./login-samples";
import { otherSamples } from "./other-samples";
import type { SamplePage } from "./sample-page";

/** The pages in the order in which users see them. */
export const samplePages: readonly SamplePage[] = [
  ...loginSamples,
  ...factorSamples,
  ...accountSamples,
  ...otherSamples,
];
