/** A remote procedure of the proto files, as data of the operation that it calls. */

/** The service of the proto files: that of the instance, or that of organizations. */
export type ServiceName = "AdminService" | "ManagementService";

export interface Procedure {
  service: ServiceName;
  /** The method's name in the proto file. */
  name: string;
  /** What a message asks for, as the address and the JSON body of a request would say it. */
  request(message: Readonly<Record<string, unknown>>): { parameters: Readonly<Record<string, string>>; body?: unknown };
  /** The fields of the message that answers, from the JSON answer. */
  answer(json: object): Record<string, unknown>;
}
