import type { ServerResponse } from 'node:http';
import { Controller, Get, HttpCode, Param, Patch, Post, Res } from '@nestjs/common';
import { Database } from '@shopflow/database';
import { Organization, ValidBody, ValidQuery } from '@shopflow/http';
import type { Static } from 'typebox';
import { CorrectInvoice } from '../correct-invoice.js';
import type { Delivery } from '../delivery.js';
import { ImportInvoice } from '../import-invoice.js';
import type { Invoice } from '../invoice.js';
import { InvoiceNotFound } from '../invoice-errors.js';
import { PayInvoice } from '../pay-invoice.js';
import { findInvoice, listInvoices } from '../persistence/invoices-table.js';
import { SendInvoice } from '../send-invoice.js';
import { calendarDay } from './calendar-day.js';
import { readId } from './ids.js';
import { CorrectionRequest, ImportRequest, ListQuery, PaymentRequest } from './requests.js';

const DEFAULT_LIMIT = 100;

@Controller('invoices')
export class InvoicesController {
  constructor(
    private readonly database: Database,
    private readonly imports: ImportInvoice,
    private readonly correction: CorrectInvoice,
    private readonly payment: PayInvoice,
    private readonly sending: SendInvoice,
  ) {}

  @Post()
  async import(
    @Organization() organizationId: string,
    @ValidBody(ImportRequest) body: Static<typeof ImportRequest>,
    @Res({ passthrough: true }) response: ServerResponse,
  ): Promise<Invoice> {
    calendarDay('dueOn', body.dueOn);
    const invoice = await this.imports.execute(organizationId, {
      ...body,
      amountKobo: body.amountKobo ?? null,
      orderId: body.orderId ?? null,
    });
    response.setHeader('location', `/invoices/${invoice.invoiceId}`);
    return invoice;
  }

  @Get()
  list(
    @Organization() organizationId: string,
    @ValidQuery(ListQuery) { status, limit = String(DEFAULT_LIMIT) }: Static<typeof ListQuery>,
  ): Promise<Invoice[]> {
    return listInvoices(this.database, organizationId, Number(limit), status);
  }

  @Get(':id')
  find(@Organization() organizationId: string, @Param('id') id: string): Promise<Invoice> {
    return findInvoice(this.database, { organizationId, invoiceId: invoiceIdOf(id) });
  }

  @Patch(':id')
  correct(
    @Organization() organizationId: string,
    @Param('id') id: string,
    @ValidBody(CorrectionRequest) { customerEmail, amountKobo, dueOn }: Static<typeof CorrectionRequest>,
  ): Promise<Invoice> {
    const correction = { recipient: customerEmail, amountKobo, dueOn: calendarDay('dueOn', dueOn) };
    return this.correction.execute({ organizationId, invoiceId: invoiceIdOf(id) }, correction);
  }

  @Post(':id/pay')
  @HttpCode(200)
  pay(
    @Organization() organizationId: string,
    @Param('id') id: string,
    @ValidBody(PaymentRequest) { paidOn = today() }: Static<typeof PaymentRequest>,
  ): Promise<Invoice> {
    return this.payment.execute({ organizationId, invoiceId: invoiceIdOf(id) }, calendarDay('paidOn', paidOn));
  }

  /** Answers before anything is sent; `GET /deliveries/:id` tells what becomes of it. */
  @Post(':id/send')
  @HttpCode(202)
  async send(
    @Organization() organizationId: string,
    @Param('id') id: string,
    @Res({ passthrough: true }) response: ServerResponse,
  ): Promise<Pick<Delivery, 'deliveryId' | 'status'>> {
    const { deliveryId, status } = await this.sending.execute({ organizationId, invoiceId: invoiceIdOf(id) });
    response.setHeader('location', `/deliveries/${deliveryId}`);
    return { deliveryId, status };
  }
}

const today = () => new Date().toISOString().slice(0, 10);

function invoiceIdOf(text: string): number {
  const id = readId(text);
  if (id === undefined) throw new InvoiceNotFound(JSON.stringify(text));
  return id;
}
