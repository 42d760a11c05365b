/** Changes of an organization's providers, which processes cache: of text messages, and of identities. */
import { addIdentityProvider } from "../directory/identity-provider/edit";
import { ofOrganization, smsChannel } from "../directory/provider/channel";
import { addProvider } from "../directory/provider/edit";
import { activateProvider, removeProvider } from "../directory/provider/set-state";
import { addedWebhook } from "../directory/provider/webhook";
import { isApiError } from "../protocol/api-error";
import type { DirectoryChange as Step } from "./directory-changes";

const acme = ofOrganization("acme");
const texts = { channel: smsChannel, owner: acme };
let smsId = "";

export const providerChanges: readonly Step[] = [
  [
    "a provider of text messages",
    async (ctx) => {
      const added = await addProvider(ctx, texts, addedWebhook, {
        endpoint: "https://sms.acme.test",
      });
      if (!isApiError(added)) smsId = added.id;
    },
    "organization.sms_provider.added → smsProviders/acme",
  ],
  [
    "a provider of text messages that sends",
    (ctx) => activateProvider(ctx, texts, smsId),
    "organization.sms_provider.activated → smsProviders/acme",
  ],
  [
    "a provider of text messages that goes",
    (ctx) => removeProvider(ctx, texts, smsId),
    "organization.sms_provider.removed → smsProviders/acme",
  ],
  [
    "an identity provider",
    (ctx) => addIdentityProvider(ctx, acme, "google", { clientId: "us", clientSecret: "s3cret" }),
    "organization.identity_provider.added → identityProviders/acme",
  ],
];
