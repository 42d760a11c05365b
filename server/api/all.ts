/** Every operation of the management APIs. */
import { appConfigOperations } from "./app-config";
import { appKeyOperations } from "./app-keys";
import { appRegistrationOperations } from "./app-registration";
import { appSecretOperations } from "./app-secrets";
import { appTrialOperations } from "./app-trials";
import { appOperations } from "./apps";
import { authorizeCheckOperations } from "./authorize-check";
import { domainOperations } from "./domains";
import { emailProviderOperations } from "./email-providers";
import { eventOperations } from "./events";
import { featureOperations } from "./features";
import { instanceOperations } from "./instance";
import { keyOperations } from "./keys";
import { labelOperations } from "./label";
import { labelPreviewOperations } from "./label-preview";
import { languageOperations } from "./languages";
import { lifetimeOperations } from "./lifetimes";
import { loginTextEditingOperations } from "./login-text-editing";
import { loginTextOperations } from "./login-texts";
import { loginTranslationOperations } from "./login-translation";
import { machineOperations } from "./machines";
import { machineV2Operations } from "./machines-v2";
import { mailOperations } from "./mail";
import { memberOperations } from "./members";
import { messageTextEditingOperations } from "./message-text-editing";
import { messageTextRoundOperations } from "./message-text-rounds";
import { messageTextOperations } from "./message-texts";
import type { Operation } from "./operation";
import { organizationSetupOperations } from "./organization-setup";
import { organizationOperations } from "./organizations";
import { ownAccessOperations } from "./own-access";
import { ownCredentialOperations } from "./own-credentials";
import { ownNameOperations } from "./own-name";
import { ownPolicyOperations } from "./own-policies";
import { ownProfileOperations } from "./own-profile";
import { ownSessionOperations } from "./own-sessions";
import { ownUserOperations } from "./own-user";
import { passkeyLinkOperations } from "./passkey-links";
import { pictureOperations } from "./pictures";
import { policyOperations } from "./policies";
import { policyFactorOperations } from "./policy-factors";
import { projectGrantOperations } from "./project-grants";
import { projectRoleOperations } from "./project-roles";
import { projectScopeOperations } from "./project-scopes";
import { projectOperations } from "./projects";
import { restrictionOperations } from "./restrictions";
import { sessionOperations } from "./sessions";
import { settingsOperations } from "./settings";
import { signInAttemptOperations } from "./sign-in-attempts";
import { smsProviderOperations } from "./sms-providers";
import { statisticsOperations } from "./statistics";
import { textDraftOperations } from "./text-drafts";
import { textHistoryOperations } from "./text-history";
import { textSearchOperations } from "./text-search";
import { textTransferOperations } from "./text-transfer";
import { userBulkOperations } from "./user-bulk";
import { userContactOperations } from "./user-contact";
import { userCredentialOperations } from "./user-credentials";
import { userDataOperations } from "./user-data";
import { userEmailOperations } from "./user-email";
import { userEnrolmentOperations } from "./user-enrolment";
import { userFactorV2Operations } from "./user-factors-v2";
import { grantOperations } from "./user-grants";
import { userHumanOperations } from "./user-human";
import { userImportOperations } from "./user-import";
import { userInvitationOperations } from "./user-invitations";
import { userInviteOperations } from "./user-invite";
import { userMetadataV2Operations } from "./user-metadata-v2";
import { userPasswordOperations } from "./user-password";
import { userPhoneOperations } from "./user-phone";
import { userUpdateOperations } from "./user-update";
import { userOperations } from "./users";
import { userV2Operations } from "./users-v2";

export const operations: readonly Operation[] = [
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
  ...organizationSetupOperations,
  ...domainOperations,
  ...userOperations,
  ...userV2Operations,
  ...userHumanOperations,
  ...userImportOperations,
  ...userInvitationOperations,
  ...userBulkOperations,
  ...userContactOperations,
  ...userEmailOperations,
  ...userUpdateOperations,
  ...userPhoneOperations,
  ...userEnrolmentOperations,
  ...userPasswordOperations,
  ...userInviteOperations,
  ...passkeyLinkOperations,
  ...userCredentialOperations,
  ...userFactorV2Operations,
  ...userDataOperations,
  ...userMetadataV2Operations,
  ...machineOperations,
  ...machineV2Operations,
  ...ownUserOperations,
  ...ownNameOperations,
  ...ownProfileOperations,
  ...ownCredentialOperations,
  ...ownSessionOperations,
  ...ownAccessOperations,
  ...ownPolicyOperations,
  ...memberOperations,
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
  ...eventOperations,
  ...signInAttemptOperations,
  ...statisticsOperations,
  ...settingsOperations,
  ...lifetimeOperations,
  ...instanceOperations,
  ...featureOperations,
  ...mailOperations,
  ...emailProviderOperations,
  ...smsProviderOperations,
];
