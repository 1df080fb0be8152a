// Package protocol proves the statements of the Protocol document, and those of the
// Tools document that show without a device, one test each, on the built forti-mcp over
// pipes. It has tests only.
//
// Statements about one process, in the document's order:
//
//	a request is modern when its _meta has the version       TestARequestIsModernWhenItsMetaContainsTheProtocolVersion
//	the value must be 2026-07-28; -32022 and its data        TestTheModernVersionMustBe20260728
//	clientCapabilities must be an object                     TestClientCapabilitiesMustBeAnObject
//	clientInfo, if present, must be an object                TestClientInfoIfPresentMustBeAnObject
//	server/discover: its members                             TestServerDiscoverHasItsMembersAndNoOthers
//	tools/list, modern: its members                          TestTheModernToolsListHasItsMembersAndNoOthers
//	tools/call, modern: the tool result                      TestTheModernToolsCallIsTheToolResult
//	every modern result: resultType and serverInfo           TestEveryModernResultCarriesResultTypeAndServerInfo
//	the modern example                                       TestTheModernExampleOfTheDocumentListsTheTools
//	the modern methods are three                             TestTheModernEraHasItsMethodsAndNoOthers
//	stateless                                                TestTheModernEraNeedsNoSessionAndStartsNone
//	initialize requires three fields                         TestInitializeRequiresAVersionCapabilitiesAndClientInfo
//	the version that is answered; 2025-03-26 gets 2025-11-25 TestInitializeAnswersWithTheRequestedVersionOrTheNewestLegacyOne
//	its result; description left out for 2025-06-18          TestTheInitializeResultHasItsMembersAndNoOthers
//	a second initialize is an error                          TestASecondInitializeIsAnError
//	ping answers {}, also before initialize                  TestPingAnswersAnEmptyObjectAlsoBeforeInitialize
//	tools/list and tools/call after initialize               TestALegacyMethodNeedsASessionAndTheAnswerListsTheVersions
//	both eras in one process, each by its own _meta          TestALegacySessionAndModernRequestsShareOneProcess, TestTheEraOfEachRequestIsJudgedByItsOwnMeta
//	modern members on modern results only                    TestALegacySessionAndModernRequestsShareOneProcess, TestALegacyToolsListIsThePlainList
//	one page; any cursor is invalid                          TestToolsListReturnsEveryToolInOnePageAndAnyCursorIsInvalid
//	notifications are never answered                         TestNotificationsAreNeverAnsweredEvenMalformedOnes, TestANotificationDoesNothing
//	initialized and cancelled                                TestInitializedAndCancelledNeedNoAction
//	responses from the client are ignored                    TestResponsesFromTheClientAreIgnored
//	one at a time, in order                                  TestRequestsAreHandledOneAtATimeAndInOrder
//	the instructions                                         TestTheInstructionsTellTheWorkflowTheModesTheBudgetAndTheDistrust
//	tool errors are not protocol errors                      TestToolErrorsAreNotProtocolErrors
//	each row and cause of the error table                    TestTheErrorTable
//	-32603                                                   transport-stdio/internal/app: TestAPanicInAHandlerIsAnInternalErrorAndTheServerLives
//	an id that cannot be read is omitted, never null         TestWhenTheIDCannotBeReadTheErrorOmitsIt
//	a readable id comes back byte for byte                   TestTheIDIsGivenBackExactlyAsItCame
//	data.supported and data.requested                        TestOnlyTheNamedErrorsCarryData, TestInitializeWithoutAVersionListsTheSupportedOnes
//	--read-only: the exact refusal, two tools, instructions  TestWithReadOnlyPlanAndApplyAreRefusedWithTheExactMessage, TestWithReadOnlyOnlyTheFirstTwoToolsAreListed, TestWithReadOnlyTheInstructionsSaySo
//	one response per line                                    TestStdoutCarriesOneLineForEachResponse
//	blank lines; CRLF; no final newline                      TestBlankLinesAreIgnored, TestLinesMayEndWithCRLF, TestALastMessageWithoutATrailingNewlineIsHandled
//	4 MiB and not a byte more                                TestAMessageMayHave4MiBAndNotAByteMore
//	discarded as it arrives                                  TestALineOf200MiBIsDiscardedAsItArrives
//	not JSON in UTF-8: NUL, mark, invalid bytes              TestWhatIsNotJSONInUTF8IsAParseError
//	numbers beyond 64 bits                                   TestNumbersBeyond64BitsAreKeptAsTheyAre
//	stdout carries the protocol only                         TestNothingButTheProtocolReachesStdout; a stray fmt.Println: transport-stdio/internal/app: TestStdoutCarriesProtocolMessagesOnly
//	stderr: no content, no secrets                           TestStderrNeverCarriesRequestContentOrSecrets
//	lifetime; status 0                                       TestTheServerRunsUntilStdinClosesAndExitsWithStatus0
//	status 1                                                 TestItExitsWith1WhenItCannotReadStdin, TestItExitsWith1WhenItCannotWriteStdout, TestItExitsWith1WhenStdoutIsFull, TestAClosedStdoutLeavesNothingHalfWritten
//	status 2                                                 TestItExitsWith2OnInvalidOptions
//	signals                                                  TestASignalEndsAnIdleServerAtOnceWithStatus0, TestASignalEndsABusyServerAfterTheOperationInHandIsRecorded
//	starting takes no lock and touches no state              TestStartingTouchesNoStateSoTwoServersMayStart
//	the session by hand                                      TestTheExampleSessionOfTheDocument
//
// Statements about the tools:
//
//	four tools, titles, annotations                          TestThereAreFourToolsEachWithATitleRepeatedInItsAnnotations
//	input schemas are strict; the message lists what is allowed TestEveryInputSchemaIsStrict
//	schemas that every client takes                          TestTheSchemasAreWhatEveryClientSwallows
//	the envelope, twice; isError exactly when not ok         TestEveryToolReturnsTheEnvelopeTwiceAndIsErrorWhenItIsNotOk
//	the output schema describes the envelope                 TestTheOutputSchemaOfEveryToolDescribesTheEnvelope
//	invalid arguments: usage with the failing pointer        TestInvalidArgumentsAreAToolResultWithTheFailingPointer
//	discover is answered from the catalog, but for two       TestDiscoverAnswersFromTheCatalogExceptCapabilitiesAndLive
//	filter and fields: lengths, operators, names             TestInvalidArgumentsAreAToolResultWithTheFailingPointer, TestFilterOperatorsAndAttributeNamesAreChecked
//	forti_apply takes plan_id and nothing else               TestInvalidArgumentsAreAToolResultWithTheFailingPointer
//	an unknown tool is a protocol error                      TestAnUnknownToolIsAProtocolError
//	descriptions and their size                              TestTheDescriptionsStandOnTheirOwn, TestTheWholeToolsListStaysUnder14KB
//
// Every result, of every method, era and tool, errors too, is held against the
// published message schemas by the tests with Truth in their names.
package protocol
