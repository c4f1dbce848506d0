import type { Settings } from '@svc/core/settings';

export interface AzureConnection {
  /** Address of an emulator, below which the accounts are folders. Null: Azure's own addresses. */
  readonly endpoint: string | null;
  /** Null: the identity that Azure's client finds (variables, machine). */
  readonly accountKey: string | null;
  /** How long signatures for engines are valid. Null: none are issued. */
  readonly sasMinutes: number | null;
}

export const AZURE: AzureConnection = { endpoint: null, accountKey: null, sasMinutes: null };

/** The connection to Azure Blob Storage from the operator's settings. */
export function azureConnection({ azureEndpoint, azureAccountKey, azureSasMinutes }: Settings): AzureConnection {
  return {
    endpoint: azureEndpoint ?? null,
    accountKey: azureAccountKey ?? null,
    sasMinutes: azureSasMinutes ?? null,
  };
}
