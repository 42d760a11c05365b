/** Every operation of the management APIs. */

import { ownAccessOperations } from "./account/access";
import { ownProfileOperations } from "./account/profile";
import { ownSessionOperations } from "./account/sessions";
import { ownUserOperations } from "./account/user";
import { appOperations } from "./apps/apps";
import { authorizeCheckOperations } from "./apps/authorize-check";
import { clientDecisionOperations } from "./apps/client-decisions";
import { appConfigOperations } from "./apps/config";
import { appKeyOperations } from "./apps/keys";
import { appRegistrationOperations } from "./apps/registration";
import { appSecretOperations } from "./apps/secrets";
import { appTrialOperations } from "./apps/trials";
import { enrolmentOperations } from "./credentials/enrolment";
import { factorOperations } from "./credentials/factors";
import { passkeyEnrolmentOperations } from "./credentials/passkey-enrolment";
import { passkeyOperations } from "./credentials/passkeys";
import { eventOperations } from "./events/events";
import { identityLinkOperations } from "./identity-providers/links";
import { providerMappingOperations } from "./identity-providers/mapping";
import { offeredProviderOperations } from "./identity-providers/offered";
import { identityProviderOperations } from "./identity-providers/providers";
import { directoryTestOperations } from "./identity-providers/test-directory";
import { clientRegistrationOperations } from "./instance/client-registration";
import { featureOperations } from "./instance/features";
import { instanceOperations } from "./instance/instance";
import { instanceListOperations } from "./instance/instances";
import { lifetimeOperations } from "./instance/lifetime-operations";
import { keyOperations } from "./instance/signing-keys";
import { statisticsOperations } from "./instance/statistics";
import { atEveryAddress, type Operation } from "./operation/operation";
import { administratorOperations } from "./organizations/administrators";
import { domainOperations } from "./organizations/domains";
import { memberOperations } from "./organizations/members";
import { organizationMetadataOperations } from "./organizations/metadata";
import { organizationOperations } from "./organizations/organizations";
import { passwordHookOperations } from "./organizations/password-hook";
import { organizationSetupOperations } from "./organizations/setup";
import { policyFactorOperations } from "./policies/factors";
import { labelOperations } from "./policies/label";
import { labelPreviewOperations } from "./policies/label-preview";
import { pictureOperations } from "./policies/pictures";
import { policyOperations } from "./policies/policies";
import { restrictionOperations } from "./policies/restrictions";
import { settingsOperations } from "./policies/settings";
import { projectGrantOperations } from "./projects/grants";
import { projectOperations } from "./projects/projects";
import { projectRoleOperations } from "./projects/roles";
import { projectScopeOperations } from "./projects/scopes";
import { grantOperations } from "./projects/user-grants";
import { mailOperations } from "./providers/mail";
import { messageProviderOperations } from "./providers/message-providers";
import { loginRequestOperations } from "./sessions/login-requests";
import { loginSessionOperations } from "./sessions/login-sessions";
import { providerIntentOperations } from "./sessions/provider-intents";
import { sessionOperations } from "./sessions/sessions";
import { signInAttemptOperations } from "./sessions/sign-in-attempts";
import { textDraftOperations } from "./texts/drafts";
import { textHistoryOperations } from "./texts/history";
import { languageOperations } from "./texts/languages";
import { loginTextEditingOperations } from "./texts/login-text-editing";
import { loginTextOperations } from "./texts/login-texts";
import { loginTranslationOperations } from "./texts/login-translation";
import { messageTextEditingOperations } from "./texts/message-text-editing";
import { messageTextRoundOperations } from "./texts/message-text-rounds";
import { messageTextOperations } from "./texts/message-texts";
import { textSearchOperations } from "./texts/search";
import { textTransferOperations } from "./texts/transfer";
import { userBulkOperations } from "./users/bulk";
import { userContactOperations } from "./users/contact";
import { userHumanOperations } from "./users/human";
import { userImportOperations } from "./users/import";
import { userInvitationOperations } from "./users/invitations";
import { userInviteOperations } from "./users/invite";
import { machineCredentialOperations } from "./users/machine-credentials";
import { machineOperations } from "./users/machines";
import { userMetadataOperations } from "./users/metadata";
import { userPasswordOperations } from "./users/password";
import { signInOperations } from "./users/sign-ins";
import { userUpdateOperations } from "./users/update";
import { userOperations } from "./users/users";

const declared: readonly Operation[] = [
  ...messageTextOperations,
  ...messageTextEditingOperations,
  ...loginTextOperations,
  ...loginTextEditingOperations,
  ...textDraftOperations,
  ...textHistoryOperations,
  ...messageTextRoundOperations,
  ...textTransferOperations,
  ...textSearchOperations,
  ...loginTranslationOperations,
  ...languageOperations,
  ...organizationOperations,
  ...organizationMetadataOperations,
  ...organizationSetupOperations,
  ...domainOperations,
  ...userOperations,
  ...userHumanOperations,
  ...userImportOperations,
  ...userInvitationOperations,
  ...userBulkOperations,
  ...userContactOperations,
  ...userUpdateOperations,
  ...userPasswordOperations,
  ...userInviteOperations,
  ...passkeyOperations,
  ...passkeyEnrolmentOperations,
  ...factorOperations,
  ...enrolmentOperations,
  ...identityLinkOperations,
  ...userMetadataOperations,
  ...signInOperations,
  ...machineOperations,
  ...machineCredentialOperations,
  ...ownUserOperations,
  ...ownProfileOperations,
  ...ownSessionOperations,
  ...ownAccessOperations,
  ...memberOperations,
  ...administratorOperations,
  ...restrictionOperations,
  ...policyOperations,
  ...policyFactorOperations,
  ...labelOperations,
  ...labelPreviewOperations,
  ...pictureOperations,
  ...projectOperations,
  ...projectRoleOperations,
  ...projectGrantOperations,
  ...projectScopeOperations,
  ...appRegistrationOperations,
  ...appConfigOperations,
  ...appSecretOperations,
  ...appKeyOperations,
  ...appOperations,
  ...appTrialOperations,
  ...authorizeCheckOperations,
  ...grantOperations,
  ...keyOperations,
  ...sessionOperations,
  ...loginSessionOperations,
  ...providerIntentOperations,
  ...loginRequestOperations,
  ...eventOperations,
  ...signInAttemptOperations,
  ...statisticsOperations,
  ...settingsOperations,
  ...lifetimeOperations,
  ...instanceOperations,
  ...instanceListOperations,
  ...featureOperations,
  ...clientRegistrationOperations,
  ...clientDecisionOperations,
  ...passwordHookOperations,
  ...mailOperations,
  ...messageProviderOperations,
  ...directoryTestOperations,
  ...identityProviderOperations,
  ...offeredProviderOperations,
  ...providerMappingOperations,
];

/** Returns every operation at each of its addresses. */
export const operations: readonly Operation[] = declared.flatMap(atEveryAddress);
