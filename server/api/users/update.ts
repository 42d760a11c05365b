/** Changes users and machines by version 2; omitted members are kept. */
import { z } from "zod";
import * as field from "../../directory/fields";
import type { GivenCodes } from "../../directory/user/add-person";
import { type PersonUpdate, updatePerson } from "../../directory/user/contact/update";
import { changeMachineOf } from "../../directory/user/edit-machine";
import { renameUser } from "../../directory/user/rename";
import type { OriginContext } from "../../events/record";
import { type ApiError, isApiError } from "../../protocol/api-error";
import { issue } from "../../protocol/reason";
import { changedAnswer } from "../operation/answers";
import { type Operation, type OperationCall, operation } from "../operation/operation";
import { details, timestamp } from "../operation/schemas";
import {
  codes,
  emailV2,
  machineV2,
  phoneV2,
  profileChangesV2,
  toCodes,
  toProfileChanges,
  toTokenFormat,
} from "./named-fields";
import { humanPassword, toWantedPassword } from "./password";
import { ownedBy, userRefOf } from "./user-ref";

const { strict } = field;
const tag = "Users";
const scope = { tag, scope: ownedBy("user.write") };

const humanChanges = {
  profile: profileChangesV2.optional(),
  email: emailV2.optional(),
  phone: phoneV2.optional(),
  password: humanPassword.optional(),
};
type HumanChanges = z.output<z.ZodObject<typeof humanChanges>>;

function toUpdate(userName: string | undefined, { profile, email, phone, password }: HumanChanges): PersonUpdate {
  return {
    userName,
    profile: profile && toProfileChanges(profile),
    email,
    phone,
    password: password && toWantedPassword(password),
  };
}

const body = strict({
  username: field.userName.optional(),
  human: strict(humanChanges).optional(),
  machine: machineV2.partial().optional(),
}).refine(({ human, machine }) => !(human && machine), {
  error: issue("one_or_other", { one: "human", other: "machine" }),
});

type Call = Pick<OperationCall<unknown, unknown>, "caller" | "parameters" | "organizationId">;

async function update(
  ctx: OriginContext,
  call: Call,
  { username, human, machine }: z.output<typeof body>,
): Promise<GivenCodes | ApiError> {
  const ref = userRefOf(call);
  if (human) return updatePerson(ctx, ref, toUpdate(username, human));
  if (machine) {
    const { accessTokenType, ...named } = machine;
    const changes = { ...named, userName: username, accessTokenType: toTokenFormat(accessTokenType) };
    return (await changeMachineOf(ctx, ref, changes)) ?? {};
  }
  return (username === undefined ? undefined : await renameUser(ctx, ref, username)) ?? {};
}

const TELLS = "Other fields and the state are kept. Nothing is mailed unless `email.sendCode` is given.";

export const userUpdateOperations: readonly Operation[] = [
  operation("UpdateHumanUser", "PUT /v2/users/human/:userId", {
    ...scope,
    summary: "Update a human user: only the given fields change",
    description: TELLS,
    body: strict({ username: field.userName.optional(), ...humanChanges }),
    answer: z.object({ details, ...codes }),
    async handle(ctx, call) {
      const { username, ...human } = call.body;
      const made = await updatePerson(ctx, userRefOf(call), toUpdate(username, human));
      if (isApiError(made)) return made;
      return { ...(await changedAnswer(ctx, "user", userRefOf(call).userId)), ...toCodes(made) };
    },
  }),
  operation("UpdateUser", "PATCH /v2/users/:userId", {
    ...scope,
    summary: "Update a human or machine user: only the given fields change",
    description: TELLS,
    body,
    answer: z.object({ changeDate: timestamp, ...codes }),
    async handle(ctx, call) {
      const made = await update(ctx, call, call.body);
      if (isApiError(made)) return made;
      const { changeDate } = (await changedAnswer(ctx, "user", userRefOf(call).userId)).details;
      return { changeDate, ...toCodes(made) };
    },
  }),
];
